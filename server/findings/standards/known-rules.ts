/** A rule whose tool provides no weakness or no readable name. */
type KnownRule = { name: string; weakness: number | null };

const rule = (name: string, weakness: number | null = null): KnownRule => ({ name, weakness });

/** Source: https://bandit.readthedocs.io/en/latest/plugins/ and /blacklists/ */
const bandit: Record<string, KnownRule> = {
  B101: rule('Assertion that is removed from optimized code', 703),
  B102: rule('Use of exec', 78),
  B103: rule('File permissions that allow too much', 732),
  B104: rule('Service bound to all network interfaces', 668),
  B105: rule('Possible hard-coded password', 259),
  B106: rule('Possible hard-coded password in a call', 259),
  B107: rule('Possible hard-coded password as a default', 259),
  B108: rule('Insecure use of a temporary directory', 377),
  B110: rule('Exception that is ignored', 703),
  B112: rule('Exception that is ignored in a loop', 703),
  B113: rule('Request without a timeout', 400),
  B201: rule('Flask in debugging mode', 94),
  B301: rule('Deserialization with pickle', 502),
  B302: rule('Deserialization with marshal', 502),
  B303: rule('Use of MD2, MD4, MD5 or SHA-1', 327),
  B304: rule('Use of a weak cipher', 327),
  B305: rule('Use of a weak cipher mode', 327),
  B306: rule('Insecure temporary file', 377),
  B307: rule('Use of eval', 78),
  B308: rule('Output marked as safe without encoding', 79),
  B310: rule('URL opened with any scheme', 22),
  B311: rule('Weak random number generator', 330),
  B312: rule('Use of Telnet', 319),
  B313: rule('XML parsed without protection', 611),
  B314: rule('XML parsed without protection', 611),
  B318: rule('XML parsed without protection', 611),
  B319: rule('XML parsed without protection', 611),
  B320: rule('XML parsed without protection', 611),
  B321: rule('Use of FTP', 319),
  B323: rule('Certificates that are not validated', 295),
  B324: rule('Use of a weak hash function', 327),
  B403: rule('Import of pickle', 502),
  B404: rule('Import of subprocess', 78),
  B405: rule('Import of an XML parser without protection', 611),
  B408: rule('Import of an XML parser without protection', 611),
  B410: rule('Import of an XML parser without protection', 611),
  B413: rule('Import of an unmaintained cryptographic library', 327),
  B501: rule('Certificates that are not validated', 295),
  B502: rule('Outdated version of TLS', 327),
  B503: rule('Outdated version of TLS as a default', 327),
  B504: rule('TLS without a chosen version', 327),
  B505: rule('Cryptographic key that is too short', 326),
  B506: rule('YAML loaded with any type', 502),
  B507: rule('Host keys of SSH that are not verified', 295),
  B601: rule('Shell command over SSH', 78),
  B602: rule('Process started through a shell', 78),
  B603: rule('Process started with input', 78),
  B604: rule('Call through a shell', 78),
  B605: rule('Process started through a shell', 78),
  B606: rule('Process started without a shell', 78),
  B607: rule('Process started by a partial path', 78),
  B608: rule('SQL built from text', 89),
  B609: rule('Wildcard in a shell command', 78),
  B610: rule('SQL built with extra() of Django', 89),
  B611: rule('SQL built with RawSQL of Django', 89),
  B701: rule('Templates without encoding', 94),
  B702: rule('Mako templates without encoding', 80),
  B703: rule('Output marked as safe without encoding', 80),
};

/** Source: https://github.com/securego/gosec#available-rules */
const gosec: Record<string, KnownRule> = {
  G101: rule('Hard-coded credentials', 798),
  G102: rule('Service bound to all network interfaces', 200),
  G103: rule('Use of unsafe memory access', 242),
  G104: rule('Error that is ignored', 703),
  G106: rule('Host keys of SSH that are not verified', 322),
  G107: rule('Request to a URL from input', 88),
  G108: rule('Profiling endpoint that anybody can reach', 200),
  G109: rule('Integer overflow after a conversion', 190),
  G110: rule('Decompression without limits', 409),
  G112: rule('Server without a timeout for headers', 400),
  G114: rule('Server without timeouts', 676),
  G115: rule('Integer overflow in a conversion', 190),
  G201: rule('SQL built with a format string', 89),
  G202: rule('SQL built from text', 89),
  G203: rule('HTML without encoding in a template', 79),
  G204: rule('Process started with input', 78),
  G301: rule('Directory permissions that allow too much', 276),
  G302: rule('File permissions that allow too much', 276),
  G303: rule('Predictable name of a temporary file', 377),
  G304: rule('File path from input', 22),
  G305: rule('Path traversal in an archive', 22),
  G306: rule('File permissions that allow too much', 276),
  G401: rule('Use of a weak hash function or cipher', 328),
  G402: rule('Insecure TLS settings', 295),
  G403: rule('RSA key that is too short', 310),
  G404: rule('Weak random number generator', 338),
  G501: rule('Import of MD5', 327),
  G502: rule('Import of DES', 327),
  G503: rule('Import of RC4', 327),
  G505: rule('Import of SHA-1', 327),
  G601: rule('Loop variable that is shared between iterations', 118),
};

/** Rules known by their full id. */
const others: Record<string, KnownRule> = {
  'security/detect-object-injection': rule('Object accessed by a key from input', 1321),
  'security/detect-non-literal-fs-filename': rule('File name from a variable', 22),
  'security/detect-non-literal-regexp': rule('Regular expression from a variable', 1333),
  'security/detect-unsafe-regex': rule('Regular expression that input can exploit', 1333),
  'security/detect-child-process': rule('Process started with input', 78),
  'security/detect-eval-with-expression': rule('Use of eval with an expression', 95),
  TLS1: rule('TLS 1.0 is offered', 326),
  TLS1_1: rule('TLS 1.1 is offered', 326),
  HSTS: rule('HTTP Strict Transport Security', 319),
  cookie_secure: rule('Cookies without the attribute Secure', 614),
  cookie_httponly: rule('Cookies without the attribute HttpOnly', 1004),
  banner_server: rule('Server banner that names the software', 200),
  banner_application: rule('Application banner that names the software', 200),
  cert_chain_of_trust: rule('Chain of trust of the certificate', 295),
};

/** Tools that only detect secrets. */
export const secretTools = /secret|gitleaks|trufflehog/i;

export const hardCodedCredentials = 798;
const vulnerableComponent = 1395;

/** Returns a known rule: its readable name, and its weakness. */
export const knownRule = (id: string): KnownRule | undefined => bandit[id] ?? gosec[id] ?? others[id];

/** Returns the CWE number for findings of a rule whose tool names none. */
export function knownWeakness(found: { source: string; ruleId: string; isPackage: boolean }): number | undefined {
  const known = found.isPackage ? undefined : knownRule(found.ruleId);
  if (known) return known.weakness ?? undefined;
  return fallbackWeakness({ inPackage: found.isPackage, ofSecretTool: secretTools.test(found.source) });
}

/** Returns the CWE number that applies to every finding in a package, or from a tool that only detects secrets. */
export function fallbackWeakness({ inPackage, ofSecretTool }: { inPackage: boolean; ofSecretTool: boolean }) {
  if (inPackage) return vulnerableComponent;
  return ofSecretTool ? hardCodedCredentials : undefined;
}
