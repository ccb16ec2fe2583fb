// Writes the SBOM of a release (CycloneDX) with Assay itself: the packages installed in the image, without development
// packages.
//   node scripts/write-sbom.mjs FILE
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findNode, root } from './node.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the file: node scripts/write-sbom.mjs release/assay.cdx.json');
const { version } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const shipped = Object.entries(lock.packages).filter(([, entry]) => !entry.dev && !entry.devOptional);

const directory = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  const folder = join(directory, `assay-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(shipped) }));
  mkdirSync(dirname(resolve(file)), { recursive: true });
  const scan = ['scan', folder, '--source', 'dependencies', '--format', 'cyclonedx', '--output', resolve(file)];
  const { status } = spawnSync(findNode(), [join(root, 'server', 'assay.mjs'), ...scan], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
