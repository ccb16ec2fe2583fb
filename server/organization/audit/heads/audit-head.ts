import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The end of an organization's chain: the number of the last event, and its hash in hexadecimal. */
export type AuditHead = { orgId: string; sequence: number; hash: string };

/**
 * Returns a head as the text that is sent and timestamped. The format never changes: timestamps are of its SHA-256, and
 * `assay audit verify` reads it from years of logs. It does not include an organization's name, which could contain
 * another head.
 */
export const headText = ({ orgId, sequence, hash }: AuditHead) => `audit head ${orgId} ${sequence}:${hash}`;

const headPattern = /(?:^|[\s:])audit head (org_[0-7][0-9a-hjkmnp-tv-z]{25}) ([1-9]\d{0,14}):([0-9a-f]{64})$/;
const maxLineLength = 100_000;

/**
 * Returns the part of a line that may contain a head: a single member of a JSON line, from our log or a webhook's body.
 */
function textOfLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, text } = JSON.parse(line) as { msg?: unknown; text?: unknown };
    return [msg, text].find((member) => typeof member === 'string') ?? '';
  } catch {
    return line;
  }
}

/** Returns the head at the end of a line from syslog, our own log, or a webhook's body. */
function parseHeadLine(line: string): AuditHead | null {
  if (line.length > maxLineLength) return null;
  const [, orgId, sequence, hash] = headPattern.exec(textOfLine(line.trim())) ?? [];
  return orgId === undefined ? null : { orgId, sequence: Number(sequence), hash: hash! };
}

/** Reads the distinct heads of an external file. Lines without a head are skipped. */
export async function readHeads(path: string): Promise<AuditHead[]> {
  const heads = new Map<string, AuditHead>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const head = parseHeadLine(line);
    if (head) heads.set(headText(head), head);
  }
  return [...heads.values()];
}
