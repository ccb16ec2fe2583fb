/** The addresses that describe identifiers of public lists. Each pattern matches the whole identifier in upper case. */
const lists: [RegExp, (identifier: string, number: string) => string][] = [
  [/^CVE-\d{4}-\d{4,}$/, (identifier) => `https://www.cve.org/CVERecord?id=${identifier}`],
  [/^CWE-(\d{1,5})$/, (_, number) => `https://cwe.mitre.org/data/definitions/${Number(number)}.html`],
  [
    /^GHSA(-[0-9A-Z]{4}){3}$/,
    (identifier) => `https://github.com/advisories/${identifier.replace(/-.+/, (id) => id.toLowerCase())}`,
  ],
  [/^(?:GO|RUSTSEC|PYSEC|MAL)-\d{4}-\d+$/, (identifier) => `https://osv.dev/vulnerability/${identifier}`],
];

/** Returns the address of the public description of an identifier such as `CVE-2026-1234`; null if none is known. */
export function identifierUrl(identifier: string): string | null {
  const name = identifier.toUpperCase();
  for (const [pattern, address] of lists) {
    const match = pattern.exec(name);
    if (match) return address(name, match[1] ?? '');
  }
  return null;
}
