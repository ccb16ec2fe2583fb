import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { unzipSync } from 'fflate';

/** The claims of a document about itself, and the SHA-256 of the file. */
export type Claims = {
  format: 'pdf' | 'docx' | 'json';
  reportId: string;
  /** In hexadecimal; null in documents of versions that did not include it. */
  snapshotSha256: string | null;
  fileSha256: Buffer;
};

/** PDF and DOCX have at most 2,000 findings; JSON is read only to the end of its first line. */
const maxDocumentBytes = 256 * 1024 * 1024;
const maxPropertiesBytes = 1024 * 1024;
const maxHeadBytes = 64 * 1024 * 1024;

const notAReport = (path: string) =>
  new Error(`${path} is not a PDF, DOCX or JSON export of a report, or lost the properties that name its report.`);

/** Reads the report and snapshot that a file claims to be from. Throws if it makes no claim. */
export async function readClaims(path: string): Promise<Claims> {
  const hash = createHash('sha256');
  let start = Buffer.alloc(0);
  let isLong = false;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(part);
    if (start.length < 4) start = Buffer.concat([start, part.subarray(0, 4)]);
    bytes += part.length;
    isLong ||= bytes > maxDocumentBytes;
    if (isLong) parts.length = 0;
    else if (start[0] !== brace) parts.push(part);
  }
  const fileSha256 = hash.digest();
  const known = start[0] === brace ? await readJson(path) : isLong ? null : readDocument(Buffer.concat(parts));
  if (known === null) throw notAReport(path);
  return { ...known, fileSha256 };
}

type Named = Omit<Claims, 'fileSha256'>;
const brace = '{'.charCodeAt(0);

function readDocument(file: Buffer): Named | null {
  if (file.subarray(0, 5).toString('latin1') === '%PDF-') return inKeywords('pdf', pdfKeywords(file));
  if (file.subarray(0, 2).toString('latin1') === 'PK') return inKeywords('docx', docxKeywords(file));
  return null;
}

/** Typst writes the metadata (XMP) as plain text, at the end of the file. */
function pdfKeywords(file: Buffer): string {
  const metadata = file.subarray(Math.max(0, file.lastIndexOf('<x:xmpmeta')));
  return (
    /<pdf:Keywords>([^<]{1,200})<\/pdf:Keywords>/.exec(metadata.toString('latin1', 0, maxPropertiesBytes))?.[1] ?? ''
  );
}

function docxKeywords(file: Buffer): string {
  try {
    const path = 'docProps/core.xml';
    const files = unzipSync(file, { filter: (part) => part.name === path && part.originalSize <= maxPropertiesBytes });
    return /<cp:keywords>([^<]{1,200})<\/cp:keywords>/.exec(Buffer.from(files[path] ?? []).toString('utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

function inKeywords(format: 'pdf' | 'docx', keywords: string): Named | null {
  const reportId = /\brpt_[0-9a-z]{26}\b/.exec(keywords)?.[0];
  if (reportId === undefined) return null;
  return { format, reportId, snapshotSha256: /\bsha256:([0-9a-f]{64})\b/.exec(keywords)?.[1] ?? null };
}

/** Reads the head from the first line of a JSON export, or the whole file if it was reformatted. */
async function readJson(path: string): Promise<Named | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(maxHeadBytes, (await file.stat()).size)));
    const text = buffer.toString('utf8', 0, bytesRead);
    const line = text.slice(0, Math.max(0, text.indexOf('\n')));
    const report = reportIn(`${line.replace(/,\s*$/, '')}}`) ?? reportIn(text);
    if (!report) return null;
    const { id, snapshot_sha256: sha256 } = report;
    return { format: 'json', reportId: id, snapshotSha256: typeof sha256 === 'string' ? sha256 : null };
  } finally {
    await file.close();
  }
}

function reportIn(text: string): { id: string; snapshot_sha256?: unknown } | null {
  try {
    const { report } = JSON.parse(text) as { report?: { id?: unknown } };
    return typeof report?.id === 'string' ? { ...report, id: report.id } : null;
  } catch {
    return null;
  }
}
