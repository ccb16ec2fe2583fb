import { createHmac } from 'node:crypto';
import type { ImportedDetection } from '../format.ts';
import { type ResultFile, readResultFile } from '../read-result-file.ts';

export const keyedHash = (value: string): string =>
  createHmac('sha256', 'a key of tests').update(value).digest('base64url');

export async function* chunksOf(content: string | Buffer, size = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export type ReadFile = ResultFile & { all: ImportedDetection[] };

/** Reads a whole file: bytes, text, or a value to be written as JSON. */
export async function readAll(
  content: string | Buffer | object,
  { format, chunkSize }: { format?: string; chunkSize?: number } = {},
): Promise<ReadFile> {
  const body = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
  const file = await readResultFile(chunksOf(body, chunkSize), { format, keyedHash });
  const all: ImportedDetection[] = [];
  for await (const batch of file.detections) all.push(...batch);
  return { ...file, all };
}

/** Sorts detections independently of their order in the file. */
export const sorted = (detections: ImportedDetection[]): ImportedDetection[] =>
  detections.toSorted((a, b) => (a.source + a.fingerprint < b.source + b.fingerprint ? -1 : 1));
