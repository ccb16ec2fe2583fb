import type { ReadContext, ReadDetection } from './format.ts';
import { FormatError } from './format-error.ts';

/**
 * Gives all results of a file to one detection source, whatever the file says of its tool. Throws FormatError for a file
 * with results of several tools.
 */
export function nameTool(source: string, context: ReadContext) {
  let named: string | undefined;
  const requireOne = (other: string) => {
    named ??= other;
    if (named !== other) throw new FormatError(`The file has results of ${named} and ${other}: leave “tool” out.`);
  };
  return {
    context: {
      ...context,
      covers(other: string) {
        requireOne(other);
        context.covers(source);
      },
      version: (_other: string, version: unknown) => context.version(source, version),
    },
    async *results(results: AsyncIterable<ReadDetection>): AsyncGenerator<ReadDetection> {
      for await (const result of results) {
        requireOne(result.source);
        yield { ...result, source };
      }
    },
  };
}
