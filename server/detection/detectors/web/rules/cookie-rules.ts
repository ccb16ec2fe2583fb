import { type Cookie, parseSetCookie } from 'set-cookie-parser';
import { isSecure, type Page } from '../page.ts';
import type { PageRule, Sight } from '../rule.ts';

const references = [
  'https://developer.mozilla.org/en-US/docs/Web/Security/Practical_implementation_guides/Cookies',
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
];

/** Names under which frameworks keep who is signed in. Cookies of preferences and statistics are often meant for scripts. */
const sessionName =
  /sess(ion)?(id)?($|[_.-])|^(phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|sid|laravel_session|_?session|ci_session|cfid|cftoken)$|^(__(host|secure)-)?(sid|auth|token|jwt|access_?token|refresh_?token|remember_?(me|token)|id_?token)$|\.aspnetcore\.(cookies|identity)|wordpress_logged_in|sessionid/i;

/** Anti-forgery tokens are read by scripts on purpose. */
const isSession = ({ name }: Cookie) => sessionName.test(name) && !/csrf|xsrf/i.test(name);

function cookiesOf(page: Page): Cookie[] {
  const value = page.headers['set-cookie'];
  const lines = (Array.isArray(value) ? value : value === undefined ? [] : [value]).slice(0, 100);
  const cookies = parseSetCookie(lines, { decodeValues: false, split: false });
  // One that is being removed protects nothing.
  return cookies.filter(({ maxAge, expires, name, value }) => {
    const isOver = maxAge === undefined ? expires !== undefined && expires.getTime() < Date.now() : maxAge <= 0;
    return name !== '' && value !== '' && !isOver;
  });
}

/** The value never leaves here: it may be somebody's session. */
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
    risk: 'One request over plain http, which another site can provoke, gives the session to whoever listens.',
    remediation: 'Set `Secure` on the cookie, and best name it with the prefix `__Host-`.',
    references,
    find: finding((one, page) => isSecure(page) && isSession(one) && !one.secure),
    matches: [cookie('PHPSESSID=abc; path=/; HttpOnly'), cookie('a=b; Secure', 'connect.sid=x; HttpOnly')],
    misses: [cookie('PHPSESSID=abc; Secure; HttpOnly'), cookie('theme=dark'), cookie('PHPSESSID=; Max-Age=0')],
  },
  {
    id: 'web-cookie-not-httponly',
    asked: ['page', 'redirect'],
    title: 'A session cookie can be read by scripts',
    severity: 'medium',
    cwe: ['CWE-1004'],
    risk: 'An injected script (XSS) can take the session away and use it elsewhere.',
    remediation: 'Set `HttpOnly` on the cookie.',
    references,
    find: finding((one) => isSession(one) && !one.httpOnly),
    matches: [cookie('JSESSIONID=abc; Secure')],
    misses: [cookie('JSESSIONID=abc; Secure; httponly'), cookie('csrf_session=abc'), cookie('lang=en')],
  },
  {
    id: 'web-cookie-cross-site',
    asked: ['page', 'redirect'],
    title: 'A session cookie is sent with other sites’ requests',
    severity: 'low',
    cwe: ['CWE-1275', 'CWE-352'],
    risk: 'Other sites can act in the visitor’s name (cross-site request forgery) unless something else prevents it.',
    remediation:
      'Set `SameSite=Lax` or `Strict`; `None` only where the site must work inside others, and then with anti-forgery tokens.',
    references,
    find: finding((one) => isSession(one) && one.sameSite?.toLowerCase() === 'none'),
    matches: [cookie('sessionid=abc; Secure; HttpOnly; SameSite=None')],
    misses: [cookie('sessionid=abc; Secure; HttpOnly; SameSite=Lax'), cookie('sessionid=abc; Secure; HttpOnly')],
  },
  {
    id: 'web-cookie-samesite-none-not-secure',
    asked: ['page', 'redirect'],
    title: 'A cookie with SameSite=None lacks Secure',
    severity: 'low',
    cwe: ['CWE-614'],
    risk: 'Browsers refuse such a cookie; old ones send it unencrypted.',
    remediation: 'Set `Secure` on the cookie, or another `SameSite`.',
    references,
    find: finding((one) => one.sameSite?.toLowerCase() === 'none' && !one.secure),
    matches: [cookie('a=b; SameSite=None')],
    misses: [cookie('a=b; SameSite=None; Secure'), cookie('a=b; SameSite=Lax')],
  },
  {
    id: 'web-cookie-prefix-violated',
    asked: ['page', 'redirect'],
    title: 'A cookie breaks the rules of its prefix',
    severity: 'low',
    cwe: ['CWE-565'],
    risk: 'Browsers refuse a `__Host-` or `__Secure-` cookie that lacks what the prefix promises, so what rests on it does not work.',
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
