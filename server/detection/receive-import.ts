import type { Database } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import type { ImportedDetection } from './formats/format.ts';
import { FormatError } from './formats/format-error.ts';
import { readResultFile } from './formats/read-result-file.ts';
import { deleteImportBatches, insertImportBatch, type PushSource } from './import-queries.ts';

/** A result file that was read to its end and waits, in batches, to be merged. */
export type ReceivedImport = {
  scanId: string;
  batches: number;
  /** The detection sources that the file speaks for; the first names the scan. */
  sources: PushSource[];
  /** Why the file may close nothing, as sentences; empty when it may. */
  incomplete: string[];
};

export type ImportRequest = {
  format?: string | undefined;
  keyedHash(value: string): string;
  /** The largest file taken, in bytes as they arrive; null for no bound. */
  limitBytes: number | null;
};

const detectionsPerBatch = 2_000;

async function* bounded(source: AsyncIterable<Uint8Array>, limitBytes: number | null): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (limitBytes !== null && received > limitBytes) {
      throw new ApiError(
        'payload_too_large',
        `The file is larger than the ${limitBytes} bytes that the operator allows.`,
      );
    }
    yield chunk;
  }
}

async function* regroup(groups: AsyncIterable<ImportedDetection[]>): AsyncGenerator<ImportedDetection[]> {
  let batch: ImportedDetection[] = [];
  for await (const group of groups) {
    for (const detection of group) {
      batch.push(detection);
      if (batch.length === detectionsPerBatch) {
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** The 400 of a file that is not what it says, with the place. */
function refusal({ message, place }: FormatError): ApiError {
  const field = place.path ?? (place.line === undefined ? 'file' : `line ${place.line}`);
  return new ApiError('invalid_request', message, { details: [{ in: 'body', field, message }] });
}

const nameOf = (type: string) =>
  type.replace(/(^|[-_])(\w)/g, (_all, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`);

/**
 * Reads a scanner's result file as it arrives and puts what it says aside. Throws 400 with the place for a file that is not
 * what it says, 413 for one that is too large; nothing of it is kept then.
 */
export async function receiveImport(
  database: Database,
  orgId: string,
  body: AsyncIterable<Uint8Array>,
  request: ImportRequest,
): Promise<ReceivedImport> {
  const scanId = newId('scan');
  let batches = 0;
  try {
    const { format, keyedHash } = { format: request.format, keyedHash: request.keyedHash };
    const file = await readResultFile(bounded(body, request.limitBytes), { ...(format && { format }), keyedHash });
    for await (const batch of regroup(file.detections)) {
      await insertImportBatch(database, orgId, scanId, batches, batch);
      batches += 1;
    }
    const types = file.sources.size > 0 ? [...file.sources] : [file.format.name];
    const sources = types.map((type) => ({ type, name: type === file.format.name ? file.format.title : nameOf(type) }));
    return { scanId, batches, sources, incomplete: [...file.incomplete] };
  } catch (error) {
    await database.transaction(orgId, (tx) => deleteImportBatches(tx, orgId, scanId)).catch(() => {});
    throw error instanceof FormatError ? refusal(error) : error;
  }
}
