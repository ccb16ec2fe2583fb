import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SourceFinding } from './scan-path.ts';

const version = 1;

/**
 * Reads the fingerprints of a baseline: findings that were known when it was written. Throws an error that says what to
 * do.
 */
export async function readBaseline(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`there is no baseline at ${file}. Add --write-baseline to write it.`);
  });
  const fingerprints = fingerprintsOf(text);
  if (!fingerprints) throw new Error(`${file} is not a baseline of Assay. Write it again with --write-baseline.`);
  return new Set(fingerprints);
}

function fingerprintsOf(text: string): string[] | null {
  try {
    const read = JSON.parse(text);
    if (read?.version !== version || !Array.isArray(read.findings)) return null;
    const fingerprints = read.findings.map((finding: { fingerprint?: unknown } | null) => finding?.fingerprint);
    return fingerprints.every((fingerprint: unknown) => typeof fingerprint === 'string') ? fingerprints : null;
  } catch {
    return null;
  }
}

/** Writes a baseline, whole or not at all. Rules and places are for the people who review it. */
export async function writeBaseline(file: string, findings: SourceFinding[]): Promise<void> {
  const entries = findings.map(({ source, detection: { fingerprint, rule, location } }) => ({
    fingerprint,
    source,
    rule: rule.id,
    path: location.path,
    line: location.start_line,
  }));
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, `${JSON.stringify({ version, findings: entries }, null, 2)}\n`);
  await rename(temporary, file);
}
