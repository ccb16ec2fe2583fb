import type { ReadContext } from './format.ts';
import { FormatError } from './format-error.ts';
import { Spool } from './spool.ts';

/** Facts that a report states once about a test, apart from its results. */
export type Definition = {
  id: string;
  name: string;
  severity: string | undefined;
  score: number | undefined;
  description: string | undefined;
  solution: string | undefined;
  identifiers: string[];
  references: string[];
};

/** A definition, or a result with the id of its definition. */
export type Explained<Result> = { definition: Definition; line: number } | { result: Result };

const maxDefinitions = 200_000;
const maxTextLength = 4_000;
/** Enough for the texts of about 10,000 tests; the texts of further ones are left out of their findings. */
const maxTextsInMemory = 24 * 1024 * 1024;

/**
 * Yields each result with its definition, in either order in the file. Results wait in a spool for the end of the file;
 * definitions stay in memory, bounded by number and by the length of their texts.
 */
export async function* withDefinitions<Result extends { id: string }>(
  items: AsyncIterable<Explained<Result>>,
  context: Pick<ReadContext, 'cut'>,
): AsyncGenerator<{ result: Result; definition: Definition | undefined }> {
  const definitions = new Map<string, Definition>();
  let length = 0;
  await using results = new Spool<Result>();
  for await (const item of items) {
    if ('result' in item) await results.add(item.result);
    else {
      if (definitions.size >= maxDefinitions)
        throw new FormatError(`The file defines more than ${maxDefinitions} tests.`, { line: item.line });
      const definition = length < maxTextsInMemory ? shortened(item.definition) : withoutTexts(item.definition);
      length += (definition.description?.length ?? 0) + (definition.solution?.length ?? 0);
      definitions.set(definition.id, definition);
    }
  }
  for await (const result of results.drain()) {
    const definition = definitions.get(result.id);
    if (definition?.description?.length === maxTextLength) context.cut('description', maxTextLength);
    if (definition?.solution?.length === maxTextLength) context.cut('remediation', maxTextLength);
    yield { result, definition };
  }
}

const shortened = (definition: Definition): Definition => ({
  ...withoutTexts(definition),
  description: definition.description?.slice(0, maxTextLength),
  solution: definition.solution?.slice(0, maxTextLength),
  references: definition.references.slice(0, 20),
});

const withoutTexts = (definition: Definition): Definition => ({
  ...definition,
  name: definition.name.slice(0, 300),
  description: undefined,
  solution: undefined,
  identifiers: definition.identifiers.slice(0, 100),
  references: [],
});
