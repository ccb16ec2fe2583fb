import { anyWeaknesses, commonWeaknesses, readPolicies, Severity, Type } from '../csp.ts';
import { headerOf, isShownPage } from '../page.ts';
import type { PageRule, WebRule } from '../rule.ts';

const references = [
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP',
  'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
];
const strict =
  "Use a strict policy: `script-src 'nonce-…' 'strict-dynamic'; object-src 'none'; base-uri 'none'`, with a new random nonce for every response.";
const policy = (value: string) => ({ headers: { 'content-security-policy': value } });
const sound = policy("script-src 'nonce-cmFuZG9tIHZhbHVl' 'strict-dynamic'; object-src 'none'; base-uri 'none'");

type Weakness = Omit<WebRule, 'cwe' | 'references'> & { types: Type[]; matches: string[]; misses: string[] };

/** Builds a rule for a weakness of the policies together, from the evaluator's findings. */
function weakness({ types, matches, misses, ...texts }: Weakness): PageRule {
  return {
    ...texts,
    cwe: ['CWE-693', 'CWE-79'],
    references,
    find(page) {
      if (!isShownPage(page)) return [];
      const [first] = commonWeaknesses(page, ({ type, severity, directive }) => {
        // Style sheets do little harm. Only hosts known to serve anyone's scripts count, not potential ones.
        const threshold = type === Type.SCRIPT_ALLOWLIST_BYPASS ? Severity.MEDIUM : Severity.INFO;
        return types.includes(type) && severity < threshold && directive !== 'style-src';
      });
      return first ? [{ evidence: `${first.directive} ${first.value ?? ''}`.trim().slice(0, 300) }] : [];
    },
    matches: matches.map(policy),
    misses: [{}, sound, ...misses.map(policy)],
  };
}

export const cspRules: PageRule[] = [
  {
    id: 'web-csp-missing',
    title: 'No content security policy is set',
    severity: 'medium',
    cwe: ['CWE-693', 'CWE-79'],
    risk: 'Nothing limits what an injected script (XSS) can do or where it can send the data that it finds.',
    remediation: `Send a \`Content-Security-Policy\` header, first as \`-Report-Only\` to see what it would break. ${strict}`,
    references,
    find: (page) =>
      isShownPage(page) && readPolicies(page).length === 0
        ? [
            {
              evidence: headerOf(page, 'content-security-policy-report-only')
                ? 'the policy is report-only (Content-Security-Policy-Report-Only)'
                : 'no Content-Security-Policy header',
            },
          ]
        : [],
    matches: [{}, { headers: { 'content-security-policy-report-only': "default-src 'self'" } }],
    misses: [
      sound,
      { body: '<meta http-equiv="content-security-policy" content="default-src \'self\'">' },
      { headers: { 'content-type': 'application/json' } },
      { status: 404 },
    ],
  },
  weakness({
    id: 'web-csp-unsafe-inline',
    title: 'The content security policy allows inline scripts',
    severity: 'medium',
    risk: 'Injected scripts are inline scripts: the policy does not protect against cross-site scripting.',
    remediation: `Remove \`'unsafe-inline'\` from \`script-src\`. ${strict}`,
    types: [Type.SCRIPT_UNSAFE_INLINE],
    matches: ["script-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'", "default-src 'unsafe-inline'"],
    misses: [
      "script-src 'unsafe-inline' 'nonce-cmFuZG9tIHZhbHVl' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
      "script-src 'self'; style-src 'unsafe-inline'; object-src 'none'",
      "script-src 'unsafe-inline'; object-src 'none', script-src 'self'",
    ],
  }),
  weakness({
    id: 'web-csp-no-script-limit',
    title: 'The content security policy does not limit scripts',
    severity: 'medium',
    risk: 'Scripts may be loaded from anywhere: the policy does not protect against cross-site scripting.',
    remediation: `Limit \`script-src\` (or \`default-src\`); a scheme or \`*\` alone allows every site. ${strict}`,
    types: [Type.PLAIN_WILDCARD, Type.PLAIN_URL_SCHEMES, Type.MISSING_DIRECTIVES],
    matches: ["script-src *; object-src 'none'", "script-src https:; object-src 'none'", "img-src 'self'"],
    misses: ["default-src 'self'", "script-src 'self'; object-src 'none'; img-src * data:"],
  }),
  weakness({
    id: 'web-csp-unsafe-eval',
    title: 'The content security policy allows text to run as code',
    severity: 'low',
    risk: 'Text that reaches `eval` or `new Function` is run, including injected text.',
    remediation: "Remove `'unsafe-eval'` from `script-src`; `'wasm-unsafe-eval'` is enough for WebAssembly.",
    types: [Type.SCRIPT_UNSAFE_EVAL],
    matches: ["script-src 'self' 'unsafe-eval'; object-src 'none'"],
    misses: ["script-src 'self' 'wasm-unsafe-eval'; object-src 'none'"],
  }),
  weakness({
    id: 'web-csp-allowlist-bypass',
    title: 'The content security policy allows a host that serves other people’s scripts',
    severity: 'low',
    risk: 'The host is known to serve scripts of the caller’s choice (JSONP, old AngularJS), so an injected tag bypasses the policy.',
    remediation: strict,
    types: [Type.SCRIPT_ALLOWLIST_BYPASS],
    matches: ["script-src 'self' ajax.googleapis.com; object-src 'none'"],
    misses: ["script-src 'self' static.example.com; object-src 'none'"],
  }),
  weakness({
    id: 'web-csp-plain-http',
    title: 'The content security policy allows sources over plain http',
    severity: 'low',
    risk: 'Content that is loaded unencrypted can be changed in transit.',
    remediation: 'Write the sources with `https:`.',
    types: [Type.SRC_HTTP],
    matches: ["script-src 'self' http://cdn.example.com; object-src 'none'"],
    misses: ["script-src 'self' https://cdn.example.com; object-src 'none'"],
  }),
  {
    id: 'web-csp-malformed',
    title: 'The content security policy contains mistakes',
    severity: 'low',
    cwe: ['CWE-693'],
    risk: 'Browsers ignore what they don’t understand, so the policy does not do what its author intended.',
    remediation: 'Correct the directive; the browser’s console also names it.',
    references,
    find: (page) => {
      const types = [Type.MISSING_SEMICOLON, Type.UNKNOWN_DIRECTIVE, Type.INVALID_KEYWORD];
      const [first] = anyWeaknesses(page, ({ type }) => types.includes(type));
      return first && isShownPage(page)
        ? [{ evidence: `${first.directive} ${first.value ?? ''}`.trim().slice(0, 300) }]
        : [];
    },
    matches: [
      policy("script-src self; object-src 'none'"),
      policy("scripts-src 'self'"),
      policy("default-src 'self' script-src x"),
    ],
    misses: [sound, {}, policy("default-src 'self'; upgrade-insecure-requests; report-to main")],
  },
];
