import { storableText } from '../platform/storable-text.ts';
import { CutTexts } from './cut-texts.ts';
import { decodeFile, peek } from './decode.ts';
import type { Chunks, Format, Gaps, ImportedDetection, ReadContext, ReadResult } from './format.ts';
import { FormatError } from './format-error.ts';
import { type Head, headBytes, readHead } from './head.ts';
import { formats } from './index.ts';
import { normalizeResults } from './normalize-results.ts';
import { text } from './values.ts';

const maxLength = 60;

/** Returns the version in a file, in one line; undefined if there is none. */
function toolVersion(named: unknown): string | undefined {
  const version = text(named)
    ?.replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return version === undefined || /^(?:unknown|dev|none|n\/a|\[not provided\])$/i.test(version) ? undefined : version;
}

/**
 * A result file that is being read. `detections` can be iterated once. After that, `sources` contains all sources that
 * the file covers, `versions` the versions of some of them, `incomplete` the reasons why it may close no findings
 * (sentences, each once), and `gaps` the gaps in the coverage of single sources; `cut` counts the results with
 * truncated texts.
 */
export type ResultFile = {
  format: Format;
  detections: AsyncIterable<ImportedDetection[]>;
  sources: ReadonlySet<string>;
  versions: ReadonlyMap<string, string>;
  incomplete: ReadonlySet<string>;
  gaps: ReadonlyMap<string, Gaps>;
  cut: CutTexts;
};

type Options = {
  format?: string | undefined;
  /** The detection source of all results; by default the sources in the file. */
  source?: string | undefined;
  keyedHash: (value: string) => string;
};

/** Opens a scanner's result file in its received form: gzip or not, UTF-8 or UTF-16. See `readDecodedFile`. */
export const readResultFile = (source: AsyncIterable<Uint8Array>, options: Options): Promise<ResultFile> =>
  readDecodedFile(decodeFile(source), options);

/**
 * Opens a decoded result file of the named or recognised format. Resolves once the format is known, from the first
 * 64 KiB. Throws FormatError for an unknown or unrecognised format; the iteration throws it for errors further on.
 * `keyedHash` uses the organization's own key.
 */
export async function readDecodedFile(
  decoded: Chunks,
  { format: name, source, keyedHash }: Options,
): Promise<ResultFile> {
  const [start, chunks] = await peek(decoded, headBytes);
  const format = name === undefined ? recogniseFormat(readHead(start)) : findFormat(name);
  const sources = new Set<string>();
  const versions = new Map<string, string>();
  const incomplete = new Set<string>();
  const gaps = new Map<string, Gaps>();
  const cut = new CutTexts();
  const context: ReadContext = {
    keyedHash,
    covers: (covered) => sources.add(covered),
    version: (source, named) => {
      const version = toolVersion(named);
      if (version !== undefined && !versions.has(source)) versions.set(source, version);
    },
    incomplete: (reason) => incomplete.add(reason),
    gaps: (source, more) => addGaps(gaps, source, more),
    cut: (what, length) => cut.countText(what, length),
    leftOut: (what) => cut.countLeftOut(what),
  };
  const results = source === undefined ? format.read(chunks, context) : readAs(source, format, chunks, context);
  const normalized = normalizeResults(results, cut);
  const detections = name === undefined ? saidAsGuess(normalized, format) : normalized;
  return { format, detections, sources, versions, incomplete, gaps, cut };
}

/** The maximum number of uncovered files per source; with more, the file may close no findings of the source. */
const maxUncovered = { paths: 10_000, characters: 1_000_000 };
const maxReasons = 20;

/** Adds the gaps of another part of a file in the coverage of a source. */
function addGaps(known: Map<string, Gaps>, source: string, { partial, uncovered }: Gaps): void {
  const before = known.get(source) ?? { partial: [], uncovered: [] };
  const paths = [...new Set([...before.uncovered, ...uncovered].map(storableText))];
  const isMany = paths.length > maxUncovered.paths || paths.join('').length > maxUncovered.characters;
  const reasons = [...before.partial, ...partial, ...(isMany ? ['Too many files were not covered.'] : [])];
  known.set(source, {
    partial: [...new Set(reasons.map((reason) => storableText(reason).slice(0, 1_000)))].slice(0, maxReasons),
    uncovered: isMany ? [] : paths,
  });
}

/** Adds to an error in a file of a recognised format that the format may be another. */
async function* saidAsGuess<Batch>(batches: AsyncIterable<Batch>, { title }: Format): AsyncGenerator<Batch> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const guess = `It was read as ${title}: if another tool wrote it, name its “format”.`;
    throw new FormatError(`${error.sentence} ${guess}`, error.place);
  }
}

function readAs(source: string, format: Format, chunks: Chunks, context: ReadContext) {
  const named = nameTool(source, context);
  return named.results(format.read(chunks, named.context));
}

function findFormat(name: string): Format {
  const format = formats.find((format) => format.name === name);
  if (format) return format;
  throw new FormatError(`The format “${name.slice(0, 50)}” is not known; it can be: ${formatNames()}.`);
}

/** Returns the format that rates this start highest; among equals the first in the table. */
function recogniseFormat(head: Head): Format {
  let best: Format | undefined;
  let bestScore = 0;
  for (const format of formats) {
    const score = format.recognise(head);
    if (score > bestScore) [best, bestScore] = [format, score];
  }
  if (best && bestScore >= 0.5) return best;
  const said =
    head.text === ''
      ? 'The file is empty, so its format can’t be recognised'
      : /^(\[\s*\]|\{\s*\})\s*$/.test(head.text)
        ? 'The file holds no results, as many tools write it, so its format can’t be recognised'
        : 'The format of this file is not recognised';
  throw new FormatError(`${said}; name it with “format”: ${formatNames()}.`, { line: 1 });
}

const formatNames = (): string => formats.map((format) => format.name).join(', ');

/**
 * Assigns all results of a file to one detection source, regardless of the tool in the file. Throws FormatError for a
 * file with results of several tools.
 */
function nameTool(source: string, context: ReadContext) {
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
      gaps: (_other: string, gaps: Gaps) => context.gaps(source, gaps),
    },
    async *results(results: AsyncIterable<ReadResult>): AsyncGenerator<ReadResult> {
      for await (const result of results) {
        requireOne(result.source);
        yield { ...result, source };
      }
    },
  };
}
