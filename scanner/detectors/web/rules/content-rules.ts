import type { HtmlResource } from '../html.ts';
import { headerOf, isSecure, isShownPage, type Page } from '../page.ts';
import type { PageRule, Sight } from '../rule.ts';

const mixed = [
  'https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
  'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
];

/** Browsers treat these hosts as secure with any scheme. */
const isLoopback = (url: URL) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
const isPlain = ({ url }: HtmlResource) => url.protocol === 'http:' && !isLoopback(url);
const upgrades = (page: Page) =>
  /(^|[;,])\s*upgrade-insecure-requests/i.test(
    [headerOf(page, 'content-security-policy') ?? '', ...page.html!.contentSecurityPolicies].join(','),
  );

/** Returns one problem per host, since pages load many files from the same one. */
function byHost(resources: HtmlResource[]): Sight[] {
  const first = new Map<string, HtmlResource>();
  for (const resource of resources) if (!first.has(resource.url.host)) first.set(resource.url.host, resource);
  return [...first].slice(0, 20).map(([host, { tag, url }]) => ({
    key: host,
    evidence: `<${tag}> loads ${url.href.slice(0, 300)}`,
  }));
}

const htmlOf = (page: Page) => (isShownPage(page) ? page.html : null);
/** Hosts under one registered domain usually belong together. Compares only the last two labels. */
const isOwn = (page: Page, url: URL) => {
  const domain = (host: string) => host.split('.').slice(-2).join('.');
  return domain(page.url.hostname) === domain(url.hostname);
};

/** The number of characters at the start of a page that are searched for a text. */
const maxSearched = 200_000;

/** Each pattern takes time linear in the page's length, even on a hostile page. */
const errorDetails = [
  /Traceback \(most recent call last\):/,
  /You're seeing this error because you have <code>DEBUG = True<\/code>/,
  /<title>Action Controller: Exception caught/,
  /Whoops, looks like something went wrong/,
  /Werkzeug Debugger/,
  /\bat [\w.$]{1,200}\([\w$]{1,100}\.java:\d+\)/,
  /Server Error in '\/[^'\n]{0,200}' Application\.<hr/,
  /\bat [^\n/]{0,100}\(?(\/[\w.-]{1,100}){2,20}\.[cm]?js:\d+:\d+\)?/,
];

export const contentRules: PageRule[] = [
  {
    id: 'web-mixed-content-active',
    title: 'Scripts or frames are loaded without encryption',
    severity: 'medium',
    cwe: ['CWE-311', 'CWE-319'],
    risk: 'Browsers refuse to load them; where one does load them, an attacker on the network path can take over the page.',
    remediation:
      'Load them over https. `upgrade-insecure-requests` in the content security policy does so for all of them.',
    references: mixed,
    find: (page) =>
      isSecure(page) && htmlOf(page) && !upgrades(page) ? byHost(page.html!.active.filter(isPlain)) : [],
    matches: [
      { body: '<script src="http://cdn.example.net/a.js"></script>' },
      { body: '<link rel="stylesheet" href="http://cdn.example.net/a.css">' },
    ],
    misses: [
      { body: '<script src="//cdn.example.net/a.js"></script><a href="http://example.net/">x</a>' },
      { body: '<!-- <script src="http://cdn.example.net/a.js"></script> -->' },
      { body: '<link rel="canonical" href="http://www.example.com/">' },
      { url: 'http://www.example.com/', body: '<script src="http://cdn.example.net/a.js"></script>' },
      {
        headers: { 'content-security-policy': 'upgrade-insecure-requests' },
        body: '<script src="http://cdn.example.net/a.js"></script>',
      },
    ],
  },
  {
    id: 'web-mixed-content-passive',
    title: 'Images or media are loaded without encryption',
    severity: 'low',
    cwe: ['CWE-311', 'CWE-319'],
    risk: 'An attacker on the network path sees what visitors look at, and can replace it.',
    remediation: 'Load them over https.',
    references: mixed,
    find: (page) =>
      isSecure(page) && htmlOf(page) && !upgrades(page) ? byHost(page.html!.passive.filter(isPlain)) : [],
    matches: [{ body: '<img src="http://img.example.net/a.png">' }],
    misses: [{ body: '<img src="/a.png"><img src="data:image/png;base64,AA">' }],
  },
  {
    id: 'web-form-over-http',
    title: 'A form is sent without encryption',
    severity: 'medium',
    cwe: ['CWE-319'],
    risk: 'Anything that visitors enter can be read and changed in transit.',
    remediation: 'Set the form’s `action` to an https URL.',
    references: mixed,
    find: (page) =>
      (isSecure(page) ? (htmlOf(page)?.forms ?? []) : [])
        .filter(({ action, hasPassword }) => action.protocol === 'http:' && !hasPassword && !isLoopback(action))
        .slice(0, 20)
        .map(({ action }) => ({
          key: action.origin + action.pathname,
          evidence: `<form> is sent to ${action.origin}`,
        })),
    matches: [{ body: '<form action="http://www.example.com/search"><input name=q></form>' }],
    misses: [{ body: '<form action="/search"><input name=q></form>' }],
  },
  {
    id: 'web-integrity-missing',
    title: 'Other sites’ scripts are loaded without an integrity check',
    severity: 'low',
    cwe: ['CWE-353', 'CWE-829'],
    risk: 'An attacker who compromises the other site decides what runs in this one.',
    remediation:
      'Serve the script yourself, or state its expected content: `integrity="sha384-…" crossorigin="anonymous"` on a fixed version.',
    references: [
      'https://developer.mozilla.org/en-US/docs/Web/Security/Subresource_Integrity',
      'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
    ],
    find: (page) =>
      byHost(
        (htmlOf(page)?.active ?? []).filter(
          ({ tag, url, hasIntegrity }) =>
            // A script without a version in its URL can change at any time, so no integrity can be specified for it.
            tag === 'script' &&
            !hasIntegrity &&
            /^https?:$/.test(url.protocol) &&
            !isOwn(page, url) &&
            /\d+\.\d+/.test(url.pathname),
        ),
      ),
    matches: [{ body: '<script src="https://cdn.example.net/jquery/3.6.0/jquery.min.js"></script>' }],
    misses: [
      { body: '<script src="https://cdn.example.net/3.6.0/a.js" integrity="sha384-AAAA"></script>' },
      { body: '<script src="https://static.example.com/3.6.0/a.js"></script>' },
      { body: '<script src="https://analytics.example.net/tag.js"></script>' },
    ],
  },
  {
    id: 'web-directory-listing',
    asked: ['page', 'directory'],
    title: 'A directory listing is public',
    severity: 'medium',
    cwe: ['CWE-548'],
    risk: 'Files that no page links to (backups, uploads, settings) can be found by anyone.',
    remediation: 'Disable listings: `Options -Indexes` (Apache), `autoindex off` (nginx).',
    references: [
      'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
    find: (page) => {
      const html = htmlOf(page);
      const isListing =
        (html && /^\s*(index of \/|directory listing (for|of) \/|listing directory \/)/i.test(html.title)) ||
        (html && /<pre>[\s\S]{0,400}\[To Parent Directory\]/i.test(page.body.slice(0, maxSearched)));
      return isListing ? [{ key: page.url.pathname, evidence: html.title.trim() || 'To Parent Directory' }] : [];
    },
    matches: [
      { body: '<html><head><title>Index of /assets</title></head><body><h1>Index of /assets</h1>' },
      { body: '<title>Directory listing for /</title><ul><li>a' },
    ],
    misses: [{ body: '<title>Index of Economic Freedom</title>' }, { body: '<h1>Index of /assets</h1>' }],
  },
  {
    id: 'web-error-details',
    asked: ['page', 'missing'],
    title: 'An error page exposes the program’s internals',
    severity: 'medium',
    cwe: ['CWE-209', 'CWE-489'],
    risk: 'Paths, versions and code show an attacker where to look; some debug pages run code.',
    remediation:
      'Disable debug mode in production (`DEBUG = False`, `APP_DEBUG=false`, `customErrors mode="On"`), and show a plain page for errors.',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html'],
    find: (page) => {
      const shown = errorDetails
        .map((pattern) => pattern.exec(page.body.slice(0, maxSearched)))
        .find((found) => found !== null);
      return shown && page.status >= 400 ? [{ evidence: shown[0].slice(0, 200) }] : [];
    },
    matches: [
      { status: 500, body: '<pre>Traceback (most recent call last):\n  File' },
      { status: 404, body: "<p>You're seeing this error because you have <code>DEBUG = True</code> in" },
      { status: 404, body: '<pre>NotFoundError\n  at next (/srv/app/node_modules/router/index.js:10:5)' },
    ],
    misses: [
      { status: 404, body: '<h1>Not Found</h1>' },
      { body: '<p>Traceback (most recent call last): is how it begins' },
    ],
  },
];
