/**
 * Returns a value as JSON that every reader accepts. Lone surrogates, which JSON.stringify keeps as escapes and strict
 * readers reject (PostgreSQL's jsonb, Rust's serde), become U+FFFD.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, backslash?: string) => backslash ?? '\uFFFD');
}
