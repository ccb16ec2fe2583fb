import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '@assay/scanner/contract/detector.ts';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { InstalledProgram } from './installed-program.ts';
import type { ToolInput } from './prepare-input.ts';
import { listRepositoryFiles } from './repository-files.ts';
import { runTool } from './run-tool.ts';
import { timeoutMsOf } from './start-tool.ts';
import { kindsOf, type ToolDescription } from './tool-description.ts';

/** A detection source that runs the program in a tool's description, if it is found on this machine. */
export type ToolDetector = Detector & { tool: ToolDescription; installed: InstalledProgram };

export function createToolDetector(tool: ToolDescription): ToolDetector {
  const installed = new InstalledProgram(tool);
  return {
    tool,
    installed,
    type: tool.type,
    name: tool.name,
    description: tool.description,
    dataSourceKinds: kindsOf(tool),
    get version() {
      return installed.version;
    },
    get installCommand() {
      return installed.installCommand;
    },
    async unavailableReason() {
      const found = await installed.find();
      return 'missing' in found ? found.missing : null;
    },
    detect: (target, run) => detect(tool, installed, target, run),
  };
}

async function detect(
  tool: ToolDescription,
  installed: InstalledProgram,
  target: DetectionTarget,
  run: DetectionRun,
): Promise<DetectionResult> {
  const found = await installed.find();
  if ('missing' in found) throw new TargetError(found.missing);
  await mkdir(target.directory, { recursive: true, mode: 0o700 });
  await removeLeftovers(target.directory);
  return runTool(tool, found.path, inputOf(tool, target, run.signal), {
    signal: run.signal,
    emit: run.emit,
    progress: run.progress,
    keyedHash: run.keyedHash,
    networkPolicy: run.networkPolicy,
    egressProxyUrl: run.egressProxyUrl,
    directory: target.directory,
    databaseDirectory: join(run.cacheDirectory, 'tools', tool.type),
  });
}

function inputOf(
  tool: ToolDescription,
  { kind, repository, address, directory: home }: DetectionTarget,
  signal: AbortSignal,
): ToolInput {
  if (!repository) return { kind, files: null, history: null, address };
  const { gitDirectory, head } = repository;
  const git = { gitDirectory, home, signal, timeoutMs: timeoutMsOf(tool) };
  return { kind, files: () => listRepositoryFiles(git, head), history: { gitDirectory, head }, address: null };
}

/** Removes the files of a killed worker: only one scan at a time uses this directory. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith('run-')) await rm(join(directory, name), { recursive: true, force: true });
  }
}
