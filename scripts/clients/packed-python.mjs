// Builds the distribution and installs it like its users: a source archive, its wheel, and an environment with the
// wheel.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePython, pythonTools, run } from './python.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'clients', 'python');
const packed = ['pyproject.toml', 'hatch_build.py', 'README.md', 'CHANGELOG.md', 'src'];

function hashOfSources() {
  const hash = createHash('sha256').update(pythonTools());
  for (const path of packed) {
    const files = path === 'src' ? readdirSync(join(folder, path), { recursive: true }).sort() : [''];
    for (const file of files.filter((name) => path !== 'src' || /\.(py|typed)$/.test(name))) {
      hash.update(`${path}/${file}\n`).update(readFileSync(join(folder, path, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

const only = (directory, end) => join(directory, readdirSync(directory).find((name) => name.endsWith(end)) ?? '');

/**
 * Creates an environment with the wheel. The wheel's requirements come from the tools' environment; pip checks them.
 */
function install(wheel, environment) {
  const tools = pythonTools();
  run('python3', ['-m', 'venv', '--without-pip', environment]);
  const python = join(environment, 'bin', 'python3');
  const place = "import sysconfig; print(sysconfig.get_path('purelib'))";
  const [own, shared] = [python, tools].map((program) => run(program, ['-I', '-c', place]).trim());
  writeFileSync(join(own, 'shared.pth'), `${shared}\n`);
  const options = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-compile'];
  run(tools, ['-m', 'pip', '--python', python, 'install', ...options, wheel]);
}

function build(target) {
  const workshop = mkdtempSync(join(tmpdir(), 'assay-client-'));
  const made = `${target}.${process.pid}`;
  try {
    const dist = join(workshop, 'dist');
    const hatchling = (cwd, kind) =>
      run(pythonTools(), ['-I', '-m', 'hatchling', 'build', '-t', kind, '-d', dist], { cwd });
    hatchling(folder, 'sdist');
    // The wheel is built from the archive, which proves that the archive is complete.
    const unpacked = join(workshop, 'unpacked');
    mkdirSync(unpacked);
    run('tar', ['-xzf', only(dist, '.tar.gz'), '-C', unpacked, '--strip-components=1']);
    hatchling(unpacked, 'wheel');
    mkdirSync(made, { recursive: true });
    cpSync(dist, join(made, 'dist'), { recursive: true });
    install(only(dist, '.whl'), join(made, 'environment'));
    // If two processes build it at once, the second uses the first result.
    if (existsSync(target)) return;
    renameSync(made, target);
  } finally {
    rmSync(workshop, { recursive: true });
    rmSync(made, { recursive: true, force: true });
  }
}

/** Returns the installed distribution: its files and its interpreter. It is built once per version of the sources. */
export function installedPackage() {
  makePython();
  const target = join(root, 'node_modules', '.cache', 'assay-client-python', hashOfSources());
  if (!existsSync(target)) build(target);
  return {
    wheel: only(join(target, 'dist'), '.whl'),
    archive: only(join(target, 'dist'), '.tar.gz'),
    python: join(target, 'environment', 'bin', 'python3'),
  };
}
