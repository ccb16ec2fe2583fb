const identifierPattern =
  /\b(?:CVE-\d{4}-\d{4,10}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|GO-\d{4}-\d{4,8}|PYSEC-\d{4}-\d{1,8}|RUSTSEC-\d{4}-\d{4,6}|MAL-\d{4}-\d{1,8})\b/gi;

/** Extracts common identifiers from any text: CVE, GHSA, GO, PYSEC, RUSTSEC and MAL. */
export function advisoryIdentifiers(...values: Array<string | undefined>): string[] {
  const found = values.flatMap((value) => value?.slice(0, 10_000).match(identifierPattern) ?? []);
  return [...new Set(found.map(canonical))];
}

/** Writes the letters of a GHSA in lower case and everything else in upper case. */
const canonical = (identifier: string): string =>
  /^ghsa/i.test(identifier) ? `GHSA${identifier.slice(4).toLowerCase()}` : identifier.toUpperCase();

/**
 * Normalises a weakness in a tool's notation (`79`, `CWE-79: …`, `external/cwe/cwe-079`) to `CWE-79`; null for other
 * texts.
 */
export function weakness(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'number' ? `CWE-${value}` : String(value).slice(0, 300).trim();
  const id = Number((/^0*(\d{1,5})\b/.exec(text) ?? /\bCWE[-_ :]*0*(\d{1,5})\b/i.exec(text))?.[1]);
  return Number.isInteger(id) && id > 0 ? `CWE-${id}` : null;
}

/** Normalises a list of weaknesses, or a text with several. */
export function weaknesses(...values: unknown[]): string[] {
  const found = values.flat().flatMap((value) => {
    if (typeof value === 'string' && (value.match(/CWE/gi)?.length ?? 0) > 1)
      return (value.match(/CWE[-_ :]*\d+/gi) ?? []).map(weakness);
    return [weakness(value)];
  });
  return [...new Set(found.filter((id) => id !== null))];
}

/** Keeps only values that contain `CWE`: for lists of tags, where `2021` is a year. */
export const taggedWeaknesses = (tags: string[]): string[] =>
  weaknesses(tags.filter((tag) => /\bCWE[-_ :]*\d/i.test(tag)));
