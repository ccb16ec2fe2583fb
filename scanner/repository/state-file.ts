import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * The state that a detector keeps between scans of a target: a header and records, one line of JSON each, with a
 * checksum at the end. Losing it costs only time, so any fault invalidates it.
 */
export type StateFile = { directory: string; name: string; format: string; basis: string };

/**
 * Reads the state of the last complete scan. Null if there is none, it has another format or basis, or it is damaged.
 */
export async function readStateFile<Header, Item>(
  file: StateFile,
): Promise<{ header: Header; records: Item[] } | null> {
  const checksum = createHash('sha256');
  const records: Item[] = [];
  let header: (Header & { format: string; basis: string }) | null = null;
  const input = createReadStream(join(file.directory, file.name));
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.startsWith('end ')) {
        return header && line === `end ${checksum.digest('hex')}` ? { header, records } : null;
      }
      checksum.update(`${line}\n`);
      if (header) {
        records.push(JSON.parse(line));
      } else {
        header = JSON.parse(line);
        if (header?.format !== file.format || header.basis !== file.basis) return null;
      }
    }
  } catch {
    // There is no state, or it can't be read.
  } finally {
    input.destroy();
  }
  return null;
}

/** Replaces the state as a whole: a crash leaves the old or the new one. */
export async function writeStateFile(file: StateFile, header: object, records: Iterable<object>): Promise<void> {
  const temporary = join(file.directory, `${file.name}.${process.pid}.${Date.now()}.tmp`);
  const checksum = createHash('sha256');
  const output = await open(temporary, 'wx', 0o600);
  try {
    let pending = '';
    const add = async (value: object) => {
      const line = `${JSON.stringify(value)}\n`;
      checksum.update(line);
      pending += line;
      if (pending.length < 65_536) return;
      await output.write(pending);
      pending = '';
    };
    await add({ ...header, format: file.format, basis: file.basis });
    for (const record of records) await add(record);
    await output.write(`${pending}end ${checksum.digest('hex')}\n`);
    await output.sync();
    await output.close();
    await rename(temporary, join(file.directory, file.name));
  } catch (error) {
    await output.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}
