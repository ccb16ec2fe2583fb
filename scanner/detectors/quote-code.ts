import type { ScannedDetection } from '../contract/detector.ts';
import { readBlobs } from '../repository/blob-reader.ts';
import type { Repository } from '../repository/history.ts';
import type { PathTarget } from '../repository/path-target.ts';
import { createFileReader } from '../repository/walk-directory.ts';

/** The built-in sources whose findings are in lines of a file. */
const quotedSources = new Set(['code', 'infrastructure', 'secrets']);

/** Larger files are data: their findings have only their evidence. */
const maxFileBytes = 8 * 1024 ** 2;
const timeoutMs = 600_000;

/** A file of a commit; null for the files on disk. */
type FileName = { commit: string | null; path: string };
type ReadFiles = (files: FileName[]) => AsyncIterable<FileName & { content: Buffer | null }>;

/** Adds the lines around the location to each detection of a source that quotes code. */
export type Quoter = (source: string, detections: ScannedDetection[]) => Promise<void>;

const keyOf = ({ commit, path }: FileName) => `${commit ?? ''}\0${path}`;

function createQuoter(read: ReadFiles): Quoter {
  return async (source, detections) => {
    if (!quotedSources.has(source)) return;
    const placed = detections.filter(({ location }) => location.path !== null && location.start_line !== null);
    if (placed.length === 0) return;
    const byFile = Map.groupBy(placed, ({ location }) => keyOf(location as FileName));
    const files = new Map(
      placed.map(({ location: { commit, path } }) => [keyOf({ commit, path: path! }), { commit, path: path! }]),
    );
    // Loads the rules for secrets, which takes a second of processor time.
    const { codeAt, createFileRedactor } = await import('./secrets/redact-code.ts');
    const { isAboutSecret } = await import('./secrets/redact-text.ts');
    for await (const file of read([...files.values()])) {
      if (file.content === null) continue;
      const redact = createFileRedactor(file.content, file.path);
      for (const detection of byFile.get(keyOf(file)) ?? []) {
        const { location, identifiers, rule } = detection;
        const hidden = source === 'secrets' ? { random: true } : { literals: isAboutSecret(identifiers, rule.id) };
        detection.code = codeAt(redact(location), location, hidden);
      }
    }
  };
}

/** git aborts on paths that lead out of the tree, and reads one name per line. */
const isNameable = ({ path }: FileName) => !/(?:^|\/)\.{0,2}(?:\/|$)|[\0\n]/.test(path);

/** Quotes files of a repository: from the location's commit, or else from `head`. */
export const quoteCommit = (access: Omit<Repository, 'timeoutMs'>, head: string): Quoter =>
  createQuoter(async function* (files) {
    const repository = { ...access, timeoutMs };
    async function* requests() {
      for (const file of files) if (isNameable(file)) yield { ...file, id: `${file.commit ?? head}:${file.path}` };
    }
    for await (const { request, content } of readBlobs(repository, requests(), maxFileBytes))
      yield { commit: request.commit, path: request.path, content };
  });

/** Quotes files on disk; locations in the history are quoted from the history. */
export function quoteFiles({ root }: NonNullable<PathTarget['files']>, history: Quoter | null): Quoter {
  const read = createFileReader(root, maxFileBytes);
  const onDisk = createQuoter(async function* (files) {
    for (const file of files) yield { ...file, content: (await read(Buffer.from(file.path)))?.content ?? null };
  });
  return async (source, detections) => {
    const [former, present] = [true, false].map((isFormer) =>
      detections.filter(({ location }) => (location.commit !== null) === isFormer),
    );
    await history?.(source, former!);
    await onDisk(source, present!);
  };
}
