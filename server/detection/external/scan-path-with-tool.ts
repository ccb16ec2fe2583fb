import { join } from 'node:path';
import type { ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { pathText } from '@assay/scanner/repository/history.ts';
import type { PathTarget } from '@assay/scanner/repository/path-target.ts';
import { createFileReader } from '@assay/scanner/repository/walk-directory.ts';
import { maxFileBytes, type SourceFile } from '@assay/scanner/repository/write-files.ts';
import type { ToolDetector } from './create-tool-detector.ts';
import { uses } from './placeholders.ts';
import { listRepositoryFiles } from './repository-files.ts';
import { runTool } from './run-tool.ts';
import { timeoutMsOf } from './start-tool.ts';

export type ToolPathScan = {
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
  keyedHash(value: string | Uint8Array): string;
};

/**
 * Runs a tool on files on disk or, for a bare repository, on its newest tree; on the history if the tool reads that.
 */
export async function scanPathWithTool({ tool, installed }: ToolDetector, target: PathTarget, scan: ToolPathScan) {
  const found = await installed.find();
  if ('missing' in found) throw new TargetError(`${tool.name} can't run: ${found.missing}`);
  if (!tool.scan.git_repository) throw new TargetError(`${tool.name} does not scan files.`);
  const detections = new Map<string, ScannedDetection>();
  const files = filesOf(target, scan, timeoutMsOf(tool));
  const isChangesOnly = target.repository?.since !== undefined;
  if (isChangesOnly && uses(tool, 'git_repository', 'repository')) {
    const warnings = [`${tool.name} was not run: it searches the whole history.`];
    return { detections: [], warnings, partial: warnings, uncovered: [] };
  }
  const input = { kind: 'git_repository' as const, files, history: target.repository, address: null };
  const {
    coverage,
    warnings,
    uncoveredPaths = [],
  } = await runTool(tool, found.path, input, {
    ...scan,
    emit: async (batch) => {
      for (const detection of batch) detections.set(detection.fingerprint, detection);
    },
    networkPolicy: createNetworkPolicy({ allowed: [] }),
    // The tool runs with the rights of the person who runs the command, on their own machine.
    egressProxyUrl: null,
    directory: join(scan.home, 'tool', tool.type),
    databaseDirectory: join(scan.home, 'tool-data', tool.type),
  });
  const partial = coverage === 'partial' ? warnings : [];
  return { detections: [...detections.values()], warnings, partial, uncovered: uncoveredPaths };
}

function filesOf({ files, repository }: PathTarget, { home, signal }: ToolPathScan, timeoutMs: number) {
  if (files) return () => listDiskFiles(files);
  if (!repository) return null;
  const { gitDirectory, head } = repository;
  return () => listRepositoryFiles({ gitDirectory, home, signal, timeoutMs }, head);
}

async function* listDiskFiles(files: NonNullable<PathTarget['files']>): AsyncGenerator<SourceFile> {
  const read = createFileReader(files.root, maxFileBytes);
  for await (const path of files.list()) {
    const file = await read(path);
    if (file) yield { path: pathText(path), content: file.content };
  }
}
