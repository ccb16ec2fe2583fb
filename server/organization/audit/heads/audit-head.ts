import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The end of an organization's chain: the number of the last event, and its hash in hexadecimal. */
export type AuditHead = { orgId: string; sequence: number; hash: string };

/**
 * Returns a head as the text that is sent and timestamped. It never changes: timestamps are of its SHA-256, and
 * `assay audit verify` reads it from the logs of years. It has no name of an organization, which could contain another.
 */
export const headText = ({ orgId, sequence, hash }: AuditHead) => `audit head ${orgId} ${sequence}:${hash}`;

const headPattern = /(?:^|[\s:])audit head (org_[0-7][0-9a-hjkmnp-tv-z]{25}) ([1-9]\d{0,14}):([0-9a-f]{64})$/;
const maxLineLength = 100_000;

/** Returns the text of a line that may be a head: of a line of our log or of a webhook's body, one member only. */
function textOfLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, text } = JSON.parse(line) as { msg?: unknown; text?: unknown };
    return [msg, text].find((member) => typeof member === 'string') ?? '';
  } catch {
    return line;
  }
}

/** Returns the head that a line ends with: of syslog, of our own log, or of a webhook's bodies. */
function parseHeadLine(line: string): AuditHead | null {
  if (line.length > maxLineLength) return null;
  const [, orgId, sequence, hash] = headPattern.exec(textOfLine(line.trim())) ?? [];
  return orgId === undefined ? null : { orgId, sequence: Number(sequence), hash: hash! };
}

/** Reads the heads of a file that was kept outside, each once. Lines that hold none are skipped. */
export async function readHeads(path: string): Promise<AuditHead[]> {
  const heads = new Map<string, AuditHead>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const head = parseHeadLine(line);
    if (head) heads.set(headText(head), head);
  }
  return [...heads.values()];
}
