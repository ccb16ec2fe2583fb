import { storableText } from '@assay/scanner/platform/storable-text.ts';

/** The state of an object as the audit log stores it: JSON fields without secrets. */
export type AuditState = Record<string, unknown>;

const redacted = '[redacted]';
/** Matches names of fields whose text is a secret. Names such as `secret_changed` are facts about a secret. */
const secretName =
  /password|passphrase|secret|credential|authorization|cookie|private_?key|api_?key|^(access_|id_|refresh_)?token$|_token$|recovery_?codes?$/i;
const secretText = /\basy_[0-9A-Za-z]{40}\b|\b(\w+:\/\/)[^\s/@]+@/g;

const maxTextLength = 2_000;
const maxEntries = 200;

function cleanText(text: string): string {
  const redact = (_match: string, scheme?: string) => `${scheme ?? ''}${redacted}${scheme ? '@' : ''}`;
  const clean = storableText(text.replace(secretText, redact));
  return clean.length <= maxTextLength ? clean : `${clean.slice(0, maxTextLength).toWellFormed()}…`;
}

/**
 * Returns a copy of `value` for the audit log: without secrets, with times as text, with long texts and lists
 * truncated.
 */
export function cleanState(value: unknown, name = ''): unknown {
  const isFact = value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number';
  if (isFact) return value ?? null;
  if (secretName.test(name)) return redacted;
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => cleanState(entry, name));
  if (typeof value !== 'object') return cleanText(String(value));
  const fields = Object.entries(value).slice(0, maxEntries);
  return Object.fromEntries(fields.map(([key, entry]) => [cleanText(key), cleanState(entry, key)]));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Returns only the fields that differ between the two states. If one is null or missing, the other is returned whole.
 */
export function changedFields(
  before: AuditState | null | undefined,
  after: AuditState | null | undefined,
): { before: AuditState | null; after: AuditState | null } {
  const [was, is] = [before, after].map((state) => (state ? (cleanState(state) as AuditState) : null));
  if (!was || !is) return { before: was ?? null, after: is ?? null };
  // Compared before secrets are removed: a secret that was replaced has changed.
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !isSame(before![name], after![name]),
  );
  const pick = (state: AuditState) => Object.fromEntries(changed.map((name) => [name, state[name] ?? null]));
  return { before: pick(was), after: pick(is) };
}
