import { join } from 'node:path';
import { ProgramError } from '../../../platform/child-process.ts';
import { explainFailure, InstallerError } from './installer-error.ts';
import type { GoTool } from './pinned-tools.ts';
import { type Installation, requireProgram, runInstaller } from './run-installer.ts';

const registry = 'the Go module proxy';

/** Builds a tool from its module, once the module has the pinned checksum. Go checks what the module needs itself. */
export async function installFromGo(tool: GoTool, installation: Installation): Promise<void> {
  const { type, folder } = installation;
  const go = await requireProgram(installation, 'go', 'Go', 'golang-go');
  // No work space and no vendor folder of the place where the command runs, and no compiler for C.
  const settings = { GOBIN: join(folder, 'bin'), GOWORK: 'off', GO111MODULE: 'on', CGO_ENABLED: '0' };
  const version = `v${tool.version}`;
  const download = ['mod', 'download', '-json', `${tool.go}@${version}`];
  // Its errors are in the output.
  const downloaded = JSON.parse(await runInstaller(installation, registry, go, download, settings, [0, 1]));
  const { Sum: sum, Error: error } = downloaded as { Sum?: string; Error?: string };
  if (error !== undefined)
    throw explainFailure(type, registry, new ProgramError('exit', 'go could not load its module.', 1, error));
  if (sum !== tool.sum) {
    throw new InstallerError(
      `${type} was not installed: ${registry} serves ${tool.go} ${version} with the checksum ${sum} instead of ${tool.sum}.`,
    );
  }
  const flags = ['-s', '-w', ...(tool.version_variable ? ['-X', `${tool.version_variable}=${tool.version}`] : [])];
  const path = [tool.go, ...(tool.package ? [tool.package] : [])].join('/');
  const build = ['install', '-trimpath', `-ldflags=${flags.join(' ')}`, `${path}@${version}`];
  await runInstaller(installation, registry, go, build, settings);
}
