import type { Advisories } from '@assay/scanner/contract/advisory.ts';
import type { Manifest } from '@assay/scanner/detectors/dependencies/dependency.ts';
import { findUnchecked } from '@assay/scanner/detectors/dependencies/find-unchecked.ts';
import { findVulnerabilities } from '@assay/scanner/detectors/dependencies/find-vulnerabilities.ts';
import { cyclonedxJson, cyclonedxXml } from '@assay/scanner/detectors/dependencies/manifests/cyclonedx.ts';
import type { ManifestFormat } from '@assay/scanner/detectors/dependencies/manifests/manifest-format.ts';
import { spdxJson, spdxTagValue, spdxXml } from '@assay/scanner/detectors/dependencies/manifests/spdx.ts';
import { mayBeOwnBom, type OwnBom, readOwnBom } from '@assay/scanner/detectors/dependencies/own-bom.ts';
import { decodeFile, peek } from '@assay/scanner/readers/decode.ts';
import type { Chunks, Gaps, ImportedDetection } from '@assay/scanner/readers/format.ts';
import { FormatError } from '@assay/scanner/readers/format-error.ts';
import { type Head, headBytes, readHead } from '@assay/scanner/readers/head.ts';
import { formats } from '@assay/scanner/readers/index.ts';
import { readDecodedFile } from '@assay/scanner/readers/read-result-file.ts';
import { displayName, namedSource } from '@assay/scanner/readers/source-name.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import type { PushSource } from '../scans/push-source-queries.ts';
import { deleteImport, type ImportBatch, insertImportBatch } from './queries.ts';
import { stageBatches } from './stage-batches.ts';

/** A bill of materials: the reader of its packages, and whether it can also contain results. */
type Sbom = { name: 'spdx' | 'cyclonedx'; manifest: ManifestFormat };

/** Packages of larger files are not matched; the results in them are still read. */
const maxSbomBytes = 64 * 1024 * 1024;

/** Recognises a bill of materials by its start; null for other files. `format` is the sender's claim. */
function recogniseSbom(head: Head, format: string | undefined): Sbom | null {
  const isCyclonedx =
    head.values.get('bomFormat') === 'CycloneDX' || (head.element === 'bom' && /cyclonedx/i.test(head.namespace));
  if (isCyclonedx && (format ?? 'cyclonedx') === 'cyclonedx') {
    return { name: 'cyclonedx', manifest: head.kind === 'xml' ? cyclonedxXml : cyclonedxJson };
  }
  if ((format ?? 'spdx') !== 'spdx') return null;
  if (head.kind === 'json') {
    const isSpdx = head.paths.has('spdxVersion') || /spdx/i.test(head.values.get('@context') ?? '');
    return isSpdx ? { name: 'spdx', manifest: spdxJson } : null;
  }
  if (head.kind === 'xml') return /spdx/i.test(head.text.slice(0, 4_096)) ? { name: 'spdx', manifest: spdxXml } : null;
  return /^SPDXVersion:/m.test(head.text) ? { name: 'spdx', manifest: spdxTagValue } : null;
}

/**
 * Reads the packages of a bill of materials. In Assay's own, packages are assigned to the manifests that name them.
 * In others, all are in one manifest: the identity of a finding is then package, version and advisory, not the file's
 * name, and the next bill of the same data source continues this one. Throws FormatError when the bill is invalid.
 */
async function readPackages({ name, manifest }: Sbom, content: string): Promise<OwnBom & { isOwn: boolean }> {
  try {
    const own = manifest === cyclonedxJson ? readOwnBom(content) : null;
    if (own) return { ...own, isOwn: true };
    const dependencies = await manifest.read(content, { read: async () => null, warn: () => {} });
    const manifests = [{ path: 'sbom', format: name, dependencies }];
    return { manifests, partial: [], uncovered: [], version: null, isOwn: false };
  } catch (error) {
    throw new FormatError(`This can't be read as ${manifest.name}: ${(error as Error).message}`);
  }
}

/** Yields the known vulnerabilities of packages, as reported by the source `dependencies`. */
async function* matchPackages(manifests: Manifest[], advisories: Advisories): AsyncGenerator<ImportedDetection[]> {
  for await (const detection of findVulnerabilities(manifests, advisories)) {
    yield [{ ...detection, source: 'dependencies', suppression: null }];
  }
}

/** A completely read result file; its batches wait to be merged. */
export type ReceivedImport = {
  scanId: string;
  batches: number;
  /** The detection sources that the file covers; the first is that of the scan. */
  sources: PushSource[];
  /** The tool versions in the file, by detection source. */
  versions: Record<string, string>;
  /** The reasons why the file closes nothing, as sentences; empty when it may close findings. */
  incomplete: string[];
  /** The gaps of individual sources: see `Gaps`. */
  gaps: Record<string, Gaps>;
  /** Sentences about results whose texts were truncated. */
  cut: string[];
};

export type ImportRequest = {
  format?: string | undefined;
  /** The name of the tool, if the file doesn't name it or names another. */
  tool?: string | undefined;
  /** Whether findings that are missing in the file are to be resolved. */
  closeMissing?: boolean | undefined;
  keyedHash(value: string): string;
};

/** Returns the values of `format` with the names of their tools: result files, and bills of materials. */
export const importTitles = { ...Object.fromEntries(formats.map(({ name, title }) => [name, title])), spdx: 'SPDX' };

export const importFormats = Object.keys(importTitles);

/** Returns the 400 for an invalid file, with the position of the error. */
function refusal({ message, place }: FormatError): ApiError {
  const field = place.path ?? (place.line === undefined ? 'file' : `line ${place.line}`);
  return new ApiError('invalid_request', message, { details: [{ in: 'body', field, message }] });
}

/**
 * Buffers a file that is small enough to be read twice. `content` is null for a larger one; `chunks` always yields
 * the whole file.
 */
async function collect(chunks: Chunks, maxBytes: number): Promise<{ content: Buffer | null; chunks: Chunks }> {
  const pieces: Buffer[] = [];
  let length = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > maxBytes) return { content: null, chunks: chain(pieces, iterator) };
  }
  return { content: Buffer.concat(pieces), chunks: chain(pieces, iterator) };
}

async function* chain(pieces: Buffer[], rest: AsyncIterator<Buffer>): Chunks {
  yield* pieces;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

type Read = {
  /** The name of the format in requests. */
  format: string;
  detections: AsyncIterable<ImportedDetection[]>;
  ended(): Omit<ReceivedImport, 'scanId' | 'batches'>;
  /**
   * Returns whether the tool is unknown: neither the file nor the request names it. Valid once the file has been
   * read.
   */
  isUnnamed(): boolean;
};

/** Reads the results of a scanner. */
async function readResults(chunks: Chunks, { format, tool, keyedHash }: ImportRequest): Promise<Read> {
  const source = tool === undefined ? undefined : requireTool(tool);
  const file = await readDecodedFile(chunks, { format, source, keyedHash });
  const typesOf = () => (file.sources.size > 0 ? [...file.sources] : [source ?? file.format.name]);
  const ended = () => {
    const types = typesOf();
    const sources = types.map((type) => ({
      type,
      name: type === file.format.name ? file.format.title : displayName(type),
    }));
    return {
      sources,
      versions: Object.fromEntries(file.versions),
      incomplete: [...file.incomplete],
      gaps: Object.fromEntries(file.gaps),
      cut: file.cut.sentences(),
    };
  };
  const isUnnamed = () => file.format.isShared === true && typesOf().includes(file.format.name);
  return { format: file.format.name, detections: file.detections, ended, isUnnamed };
}

function requireTool(tool: string): string {
  const source = namedSource(tool);
  if (source !== null) return source;
  throw invalid('query', 'tool', 'must be the name of a tool, and not that of a detection source of Assay');
}

/**
 * Refuses to close findings missing in a file of an unknown tool, since its findings can't be distinguished from
 * another tool's.
 */
function requireClosable(file: Read, { closeMissing }: ImportRequest): void {
  if (!closeMissing || !file.isUnnamed()) return;
  throw invalid('query', 'close_missing', 'needs “tool” here, since the file does not name the tool that wrote it');
}

async function* both<T>(first: AsyncIterable<T>, second: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* second;
}

const dependencies: PushSource = { type: 'dependencies', name: 'Dependencies' };

/**
 * Reads a bill of materials: matches its packages with advisories, and reads the results that a CycloneDX file may
 * contain.
 */
async function readSbom(sbom: Sbom, whole: Chunks, request: ImportRequest, advisories: Advisories): Promise<Read> {
  const known = await advisories.exist();
  const { content, chunks } = await collect(whole, maxSbomBytes);
  const hasResults = sbom.name === 'cyclonedx' && (known || !mayBeOwnBom(content));
  if (hasResults && (!known || content === null)) return readResults(chunks, request);
  if (!known) {
    const how = 'Load them with "assay advisories sync --from DIR|URL", or set ASSAY_ADVISORIES.';
    throw new ApiError(
      'detection_source_unavailable',
      `The packages of this file are matched with advisories, and none are loaded. ${how}`,
    );
  }
  if (content === null) throw new FormatError(`A bill of materials can have ${maxSbomBytes} bytes at most.`);
  const { manifests, partial, uncovered, version, isOwn } = await readPackages(sbom, content.toString('utf8'));
  const matched = matchPackages(manifests, advisories);
  const unchecked = isOwn ? (await findUnchecked(manifests, advisories)).paths : [];
  const packages: Omit<ReceivedImport, 'scanId' | 'batches'> = {
    sources: [dependencies],
    versions: isOwn && version !== null ? { dependencies: version } : {},
    incomplete: [],
    gaps: isOwn ? { dependencies: { partial, uncovered: [...uncovered, ...unchecked] } } : {},
    cut: [],
  };
  const format = sbom.name;
  if (format === 'spdx' || isOwn) return { format, detections: matched, ended: () => packages, isUnnamed: () => false };
  const results = await readResults(chunks, request);
  const ended = () => {
    const { sources, gaps, ...rest } = results.ended();
    return { ...rest, sources: [...sources, dependencies], gaps: { ...gaps, ...packages.gaps } };
  };
  return { format, detections: both(results.detections, matched), ended, isUnnamed: results.isUnnamed };
}

/**
 * Reads a scanner's result file or a bill of materials while it arrives. Calls `stage` for each batch of results: see
 * stageBatches. Throws 400 with the position for an invalid file.
 */
export async function readImport(
  database: Database,
  body: AsyncIterable<Uint8Array>,
  request: ImportRequest,
  stage: (sequence: number, batch: ImportBatch) => Promise<void>,
): Promise<Omit<ReceivedImport, 'scanId'> & { format: string }> {
  try {
    const [start, chunks] = await peek(decodeFile(body), headBytes);
    const sbom = recogniseSbom(readHead(start), request.format);
    if (!sbom && request.format === 'spdx') throw new FormatError('This is not an SPDX document.', { line: 1 });
    const file = sbom
      ? await readSbom(sbom, chunks, request, storedAdvisories(database))
      : await readResults(chunks, request);
    const batches = await stageBatches(file.detections, stage);
    requireClosable(file, request);
    return { format: file.format, batches, ...file.ended() };
  } catch (error) {
    throw error instanceof FormatError ? refusal(error) : error;
  }
}

/** Reads a file like `readImport` and stages its results in batches. Nothing of a refused file is stored. */
export async function receiveImport(
  database: Database,
  orgId: string,
  body: AsyncIterable<Uint8Array>,
  request: ImportRequest,
): Promise<ReceivedImport> {
  const scanId = newId('scan');
  try {
    const file = await readImport(database, body, request, (sequence, batch) =>
      insertImportBatch(database, orgId, scanId, sequence, batch),
    );
    return { scanId, ...file };
  } catch (error) {
    await database.transaction(orgId, (tx) => deleteImport(tx, orgId, scanId)).catch(() => {});
    throw error;
  }
}
