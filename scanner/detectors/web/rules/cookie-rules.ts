import { type Cookie, parseSetCookie } from 'set-cookie-parser';
import { isSecure, type Page } from '../page.ts';
import type { PageRule, Sight } from '../rule.ts';

const references = [
  'https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/Cookies',
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
];

/** Session cookie names of common frameworks. Cookies for preferences and statistics are often meant for scripts. */
const sessionName =
  /sess(ion)?(id)?($|[_.-])|^(phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|sid|laravel_session|_?session|ci_session|cfid|cftoken)$|^(__(host|secure)-)?(sid|auth|token|jwt|access_?token|refresh_?token|remember_?(me|token)|id_?token)$|\.aspnetcore\.(cookies|identity)|wordpress_logged_in|sessionid/i;

/** Scripts read anti-forgery tokens by design. */
const isSession = ({ name }: Cookie) => sessionName.test(name) && !/csrf|xsrf/i.test(name);

function cookiesOf(page: Page): Cookie[] {
  const value = page.headers['set-cookie'];
  const lines = (Array.isArray(value) ? value : value === undefined ? [] : [value]).slice(0, 100);
  const cookies = parseSetCookie(lines, { decodeValues: false, split: false });
  // A cookie that is being deleted protects nothing.
  return cookies.filter(({ maxAge, expires, name, value }) => {
    const isOver = maxAge === undefined ? expires !== undefined && expires.getTime() < Date.now() : maxAge <= 0;
    return name !== '' && value !== '' && !isOver;
  });
}

/** Removes the value, which may be a live session. */
function show(cookie: Cookie): Sight {
  const attributes = [
    cookie.domain && `Domain=${cookie.domain}`,
    cookie.path && `Path=${cookie.path}`,
    cookie.secure && 'Secure',
    cookie.httpOnly && 'HttpOnly',
    cookie.sameSite && `SameSite=${cookie.sameSite}`,
  ];
  const name = cookie.name.slice(0, 100);
  return { key: name, evidence: [`${name}=…`, ...attributes.filter(Boolean)].join('; ').slice(0, 400) };
}

const finding = (isWrong: (cookie: Cookie, page: Page) => boolean) => (page: Page) =>
  cookiesOf(page)
    .filter((cookie) => isWrong(cookie, page))
    .map(show);
const cookie = (...lines: string[]) => ({ headers: { 'set-cookie': lines } });

export const cookieRules: PageRule[] = [
  {
    id: 'web-cookie-not-secure',
    asked: ['page', 'redirect'],
    title: 'A session cookie may be sent unencrypted',
    severity: 'medium',
    cwe: ['CWE-614'],
    risk: 'A single request over plain http, which another site can trigger, reveals the session to anyone listening.',
    remediation: 'Set `Secure` on the cookie, and preferably give its name the prefix `__Host-`.',
    references,
    find: finding((cookie, page) => isSecure(page) && isSession(cookie) && !cookie.secure),
    matches: [cookie('PHPSESSID=abc; path=/; HttpOnly'), cookie('a=b; Secure', 'connect.sid=x; HttpOnly')],
    misses: [cookie('PHPSESSID=abc; Secure; HttpOnly'), cookie('theme=dark'), cookie('PHPSESSID=; Max-Age=0')],
  },
  {
    id: 'web-cookie-not-httponly',
    asked: ['page', 'redirect'],
    title: 'A session cookie can be read by scripts',
    severity: 'medium',
    cwe: ['CWE-1004'],
    risk: 'An injected script (XSS) can steal the session.',
    remediation: 'Set `HttpOnly` on the cookie.',
    references,
    find: finding((cookie) => isSession(cookie) && !cookie.httpOnly),
    matches: [cookie('JSESSIONID=abc; Secure')],
    misses: [cookie('JSESSIONID=abc; Secure; httponly'), cookie('csrf_session=abc'), cookie('lang=en')],
  },
  {
    id: 'web-cookie-cross-site',
    asked: ['page', 'redirect'],
    title: 'A session cookie is sent with other sites’ requests',
    severity: 'low',
    cwe: ['CWE-1275', 'CWE-352'],
    risk: 'Other sites can act as the visitor (cross-site request forgery) unless something else prevents it.',
    remediation:
      'Set `SameSite=Lax` or `Strict`. Use `None` only where the site must work inside others, and then with anti-forgery tokens.',
    references,
    find: finding((cookie) => isSession(cookie) && cookie.sameSite?.toLowerCase() === 'none'),
    matches: [cookie('sessionid=abc; Secure; HttpOnly; SameSite=None')],
    misses: [cookie('sessionid=abc; Secure; HttpOnly; SameSite=Lax'), cookie('sessionid=abc; Secure; HttpOnly')],
  },
  {
    id: 'web-cookie-samesite-none-not-secure',
    asked: ['page', 'redirect'],
    title: 'A cookie with SameSite=None lacks Secure',
    severity: 'low',
    cwe: ['CWE-614'],
    risk: 'Browsers reject such a cookie; old browsers send it unencrypted.',
    remediation: 'Set `Secure` on the cookie, or another `SameSite`.',
    references,
    find: finding((cookie) => cookie.sameSite?.toLowerCase() === 'none' && !cookie.secure),
    matches: [cookie('a=b; SameSite=None')],
    misses: [cookie('a=b; SameSite=None; Secure'), cookie('a=b; SameSite=Lax')],
  },
  {
    id: 'web-cookie-prefix-violated',
    asked: ['page', 'redirect'],
    title: 'A cookie breaks the rules of its prefix',
    severity: 'low',
    cwe: ['CWE-565'],
    risk: 'Browsers reject a `__Host-` or `__Secure-` cookie that lacks what its prefix requires, so features that need the cookie do not work.',
    remediation: '`__Secure-` needs `Secure`; `__Host-` needs `Secure`, `Path=/` and no `Domain`.',
    references,
    find: finding(({ name, secure, path, domain }) => {
      if (/^__secure-/i.test(name)) return !secure;
      return /^__host-/i.test(name) && (!secure || path !== '/' || domain !== undefined);
    }),
    matches: [
      cookie('__Host-id=1; Secure; Path=/a'),
      cookie('__Secure-id=1'),
      cookie('__Host-a=1; Secure; Path=/; Domain=x.example'),
    ],
    misses: [cookie('__Host-id=1; Secure; Path=/'), cookie('__Secure-id=1; Secure; Domain=example.com')],
  },
];
