import { join } from 'node:path';
import { runProgram } from '../../../platform/child-process.ts';
import { InstallerError } from './installer-error.ts';
import { requirementsOf } from './pinned-tools.ts';
import { type Installation, requireProgram, runInstaller } from './run-installer.ts';

const what = 'Python 3.10 or newer with its module venv';
const debian = 'python3 python3-venv';

/** Prints what the interpreter lacks. Debian packages ensurepip, which venv needs, separately. */
const question = `
import sys
if sys.version_info < (3, 10): print("it is Python %d.%d" % sys.version_info[:2])
else:
    try: import venv, ensurepip
    except ImportError as error: print("it has no module " + error.name)
`;

/**
 * Installs a tool into a virtual environment of its own: exactly the packages that its requirements file pins, from
 * wheels with these hashes, so that nothing of a package runs while it is installed.
 */
export async function installFromPypi(installation: Installation): Promise<void> {
  const { type, folder } = installation;
  const python = await requireProgram(installation, 'python3', what, debian);
  const lack = await askPython(python, installation);
  if (lack !== '') {
    throw new InstallerError(
      `${type} was not installed: it needs ${what}. There is ${python}, but ${lack}. On Debian: apt-get install ${debian}`,
    );
  }
  await runInstaller(installation, 'PyPI', python, ['-m', 'venv', folder]);
  // The file lists all packages, so nothing is resolved.
  const lists = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--requirement', requirementsOf(type)];
  // Settings that would install somewhere else.
  const own = { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PYTHONPATH: '', PYTHONHOME: '' };
  const commandLine = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--quiet', ...lists];
  await runInstaller(installation, 'PyPI', join(folder, 'bin', 'python'), commandLine, own);
}

async function askPython(python: string, { folder, environment, signal }: Installation): Promise<string> {
  try {
    const { stdout } = await runProgram({
      command: python,
      arguments: ['-c', question],
      directory: folder,
      home: environment.HOME ?? folder,
      environment,
      confinement: null,
      timeoutMs: 60_000,
      signal,
    });
    return stdout.toString('utf8').trim();
  } catch {
    signal.throwIfAborted();
    return 'it does not run';
  }
}
