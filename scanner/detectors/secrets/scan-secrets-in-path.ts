import type { ScannedDetection } from '../../contract/detector.ts';
import { pathText, shallowWarning } from '../../repository/history.ts';
import type { PathTarget } from '../../repository/path-target.ts';
import { createFileReader } from '../../repository/walk-directory.ts';
import { maxBlobBytes } from './create-detector.ts';
import type { SecretEngine } from './engine.ts';
import { SecretLedger } from './ledger.ts';
import type { SecretRule } from './rule.ts';
import { findSecrets } from './scan-content.ts';
import { missingVersions, scanHistory } from './scan-history.ts';

export type SecretsPathScan = {
  engine: SecretEngine;
  rules: SecretRule[];
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
};

/** Searches for secrets in the files on disk, including uncommitted ones, and in their history. */
export async function scanPathForSecrets(target: PathTarget, scan: SecretsPathScan) {
  const ledger = new SecretLedger(scan.rules, (hash) => hash);
  const warnings: string[] = [];
  const partial: string[] = [];
  if (target.repository) {
    const { gitDirectory, head, since, isShallow } = target.repository;
    const result = await scanHistory({
      engine: scan.engine,
      ledger,
      head,
      knownHead: since ?? null,
      maxBlobBytes,
      repository: { gitDirectory, home: scan.home, signal: scan.signal, timeoutMs: 6 * 60 * 60_000 },
      headIsPresent: target.files === null,
      progress: scan.progress,
    });
    warnings.push(...result.warnings);
    if (result.missing > 0) partial.push(missingVersions(result.missing));
    if (isShallow) partial.push(shallowWarning);
  }
  if (target.files) warnings.push(...(await scanFiles(target.files, ledger, scan)));
  const detections: ScannedDetection[] = [...ledger.detections()];
  return { detections, warnings, partial };
}

async function scanFiles(files: NonNullable<PathTarget['files']>, ledger: SecretLedger, scan: SecretsPathScan) {
  const read = createFileReader(files.root, maxBlobBytes);
  const warnings: string[] = [];
  let count = 0;
  for await (const path of files.list()) {
    scan.signal.throwIfAborted();
    scan.progress(null, `Searched ${++count} files`);
    const file = await read(path);
    if (!file) continue;
    const text = pathText(path);
    if (!file.content) {
      warnings.push(`${text} is larger than ${maxBlobBytes / 1024 ** 2} MiB and was not searched.`);
      continue;
    }
    const hits = await findSecrets(scan.engine, file.content, text);
    if (hits.length > 0) ledger.record(hits, text, { commit: null, introduced: false, present: true });
  }
  return warnings;
}
