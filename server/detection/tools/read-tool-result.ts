import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { ScannedDetection } from '../contract/detector.ts';
import { FormatError } from '../formats/format-error.ts';
import { readResultFile } from '../formats/read-result-file.ts';
import type { ToolDescription } from './tool-description.ts';
import { ToolError } from './tool-error.ts';
import { withoutPrefix } from './without-prefix.ts';

export type ToolResult = { count: number; incomplete: string[]; cut: string[] };

/**
 * Reads a tool's result file and emits its detections. Throws a ToolError when there is none, or it can't be read to
 * its end. `prefixes` are removed from all texts.
 */
export async function readToolResult(
  { name, format, empty_output: emptyOutput }: ToolDescription,
  path: string,
  prefixes: string[],
  run: { emit(batch: ScannedDetection[]): Promise<void>; keyedHash(value: string): string },
): Promise<ToolResult> {
  // A link instead of the file could point anywhere.
  const information = await lstat(path).catch(() => null);
  if (!information?.isFile()) throw new ToolError(`${name} left no result. Nothing was closed.`);
  if (information.size === 0) {
    if (emptyOutput === 'clean') return { count: 0, incomplete: [], cut: [] };
    throw new ToolError(`${name} left an empty result. Nothing was closed.`);
  }
  const stream = createReadStream(path);
  try {
    const bytes = prefixes.length > 0 ? withoutPrefix(stream, prefixes) : (stream as AsyncIterable<Buffer>);
    const file = await readResultFile(bytes, { format, keyedHash: run.keyedHash });
    let count = 0;
    for await (const batch of file.detections) {
      count += batch.length;
      await run.emit(batch);
    }
    return { count, incomplete: [...file.incomplete], cut: file.cut.sentences() };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new ToolError(`The result of ${name} can't be read. ${error.message} Nothing was closed.`, undefined, error);
  } finally {
    stream.destroy();
  }
}
