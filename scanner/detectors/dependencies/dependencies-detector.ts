import { mkdir } from 'node:fs/promises';
import type { Detection } from '../../contract/detection.ts';
import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '../../contract/detector.ts';
import { TargetError } from '../../contract/target-error.ts';
import type { Repository } from '../../repository/history.ts';
import { readFailure } from '../../repository/read-failure.ts';
import { dependenciesDescription } from './dependencies-description.ts';
import { findUnchecked } from './find-unchecked.ts';
import { findVulnerabilities } from './find-vulnerabilities.ts';
import { readManifests } from './read-manifests.ts';
import { openTree } from './repository-source.ts';

const gitHours = 1;
const batchSize = 500;

/**
 * Finds known vulnerabilities of the packages in a repository's newest tree, according to the operator's advisories.
 */
export const dependenciesDetector: Detector = { ...dependenciesDescription, detect };

async function detect(target: DetectionTarget, run: DetectionRun): Promise<DetectionResult> {
  if (!target.repository) throw new Error('Dependencies are checked in git repositories only.');
  if (!(await run.advisories.exist())) throw new TargetError('The advisories were removed while the scan was waiting.');
  const { gitDirectory, head } = target.repository;
  await mkdir(target.directory, { recursive: true, mode: 0o700 });
  const repository = { gitDirectory, home: target.directory, signal: run.signal, timeoutMs: gitHours * 3_600_000 };
  run.progress(null, 'Listing files');
  const { source, manifests, warnings, unreadable } = await readTree(repository, head, run).catch((error) => {
    throw readFailure(error, gitHours);
  });
  run.progress(null, 'Matching advisories');
  let batch: Detection[] = [];
  for await (const detection of findVulnerabilities(manifests, run.advisories)) {
    batch.push(detection);
    if (batch.length < batchSize) continue;
    await run.emit(batch);
    batch = [];
  }
  if (batch.length > 0) await run.emit(batch);
  const unchecked = await findUnchecked(manifests, run.advisories);
  warnings.push(...unchecked.warnings, ...source.skipped.warnings('dependencies'));
  return { coverage: 'complete', warnings, uncoveredPaths: [...new Set([...unreadable, ...unchecked.paths])] };
}

async function readTree(repository: Repository, head: string, run: DetectionRun) {
  const source = await openTree(repository, head);
  const read = await readManifests(source, (count) => {
    run.signal.throwIfAborted();
    run.progress(count / source.count, `Read ${count} of ${source.count} manifests`);
  });
  return { source, ...read };
}
