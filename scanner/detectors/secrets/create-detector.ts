import { mkdir } from 'node:fs/promises';
import type {
  DetectionResult,
  DetectionRun,
  DetectionTarget,
  Detector,
  ScannedDetection,
} from '../../contract/detector.ts';
import { areReached, isAncestor, type Repository } from '../../repository/history.ts';
import { readFailure } from '../../repository/read-failure.ts';
import { createSecretEngine, type SecretEngine } from './engine.ts';
import { SecretLedger } from './ledger.ts';
import type { SecretRule } from './rule.ts';
import { scanHistory } from './scan-history.ts';
import { secretsDescription } from './secrets-description.ts';
import { programHash, readState, writeState } from './state.ts';

/** Credential files are rarely larger than a few kilobytes, and files this large are rarely text. */
export const maxBlobBytes = 64 * 1024 * 1024;
const gitHours = 6;
const batchSize = 500;

/**
 * Creates the detector of credentials in a repository's newest tree and its whole history. A rescan reads only new
 * commits.
 */
export function createSecretsDetector(rules: SecretRule[]): Detector {
  let engine: SecretEngine | null = null;
  return {
    ...secretsDescription,
    detect: (target, run) => {
      engine ??= createSecretEngine(rules);
      return detect(target, run, rules, engine);
    },
  };
}

async function detect(
  target: DetectionTarget,
  run: DetectionRun,
  rules: SecretRule[],
  engine: SecretEngine,
): Promise<DetectionResult> {
  if (!target.repository) throw new Error('Secrets are searched for in git repositories only.');
  const { gitDirectory, head, otherHeads = [], isShallow } = target.repository;
  await mkdir(target.directory, { recursive: true, mode: 0o700 });
  const repository = { gitDirectory, home: target.directory, signal: run.signal, timeoutMs: gitHours * 3_600_000 };
  // The state depends on the organization's key and the rules, and is invalid with others.
  const basis = `${await programHash()} ${run.keyedHash('secrets state')}`;
  const known = await findUsableState(target.directory, basis, repository, [head, ...otherHeads]);
  const ledger = new SecretLedger(rules, run.keyedHash, known?.entries);
  const result = await scanHistory({
    repository,
    engine,
    ledger,
    head,
    knownHead: known?.head ?? null,
    otherHeads,
    knownOtherHeads: known?.otherHeads,
    knownSkipped: known?.skipped,
    headIsPresent: true,
    maxBlobBytes,
    progress: run.progress,
  }).catch((error) => {
    throw readFailure(error, gitHours);
  });
  await emitAll(ledger.detections({ ofBranches: otherHeads.length > 0 }), run);
  if (result.missing > 0) {
    return { coverage: 'partial', warnings: result.warnings, isDamaged: true };
  }
  // Older commits are missing: their findings stay, and a later scan of the whole history reads everything.
  if (isShallow) return { coverage: 'partial', warnings: result.warnings };
  await writeState(target.directory, { basis, head, otherHeads, skipped: result.skipped }, ledger.entries);
  return { coverage: 'complete', warnings: result.warnings };
}

async function findUsableState(directory: string, basis: string, repository: Repository, heads: string[]) {
  const state = await readState(directory, basis);
  if (!state || !(await isAncestor(repository, state.head, heads[0]!))) return null;
  // After a force-push or without a branch, parts of the state may be unreachable, so everything is read again.
  const isReached = state.otherHeads.length === 0 || (await areReached(repository, state.otherHeads, heads));
  return isReached ? state : null;
}

async function emitAll(detections: Iterable<ScannedDetection>, run: DetectionRun) {
  let batch: ScannedDetection[] = [];
  for (const detection of detections) {
    batch.push(detection);
    if (batch.length < batchSize) continue;
    await run.emit(batch);
    batch = [];
  }
  if (batch.length > 0) await run.emit(batch);
}
