// Counts the lines of the repository: hand-written ones, and generated or copied ones (linguist-generated and
// linguist-vendored in .gitattributes). Binary files are only counted as files.
//   node scripts/count-lines.mjs [COMMIT]     the files of COMMIT (default: the index), by the attributes of the work tree
import { execFileSync } from 'node:child_process';
import { root } from './node.mjs';

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const git = (args, input) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', input, maxBuffer: 256 * 1024 * 1024 });

const [commit] = process.argv.slice(2);
const range = commit ? [emptyTree, commit] : ['--cached', emptyTree];
const rows = git(['diff', '--numstat', '--no-renames', '-z', ...range])
  .split('\0')
  .filter(Boolean)
  .map((row) => row.split('\t'));

const attributes = git(
  ['check-attr', '-z', '--stdin', 'linguist-generated', 'linguist-vendored'],
  rows.map(([, , path]) => `${path}\0`).join(''),
).split('\0');
const notOurs = new Set();
for (let i = 0; i + 2 < attributes.length; i += 3) {
  const [path, , value] = attributes.slice(i, i + 3);
  if (value === 'set' || value === 'true') notOurs.add(path);
}

const totals = {
  'by hand': { files: 0, lines: 0 },
  'machine-made or copied': { files: 0, lines: 0 },
  binary: { files: 0, lines: 0 },
};
for (const [added, , path] of rows) {
  const kind = added === '-' ? 'binary' : notOurs.has(path) ? 'machine-made or copied' : 'by hand';
  totals[kind].files += 1;
  totals[kind].lines += kind === 'binary' ? 0 : Number(added);
}
const sum = { files: 0, lines: 0 };
for (const { files, lines } of Object.values(totals)) {
  sum.files += files;
  sum.lines += lines;
}
for (const [name, { files, lines }] of Object.entries({ ...totals, 'in all': sum })) {
  process.stdout.write(`${name.padEnd(24)}${String(files).padStart(7)} files${String(lines).padStart(9)} lines\n`);
}
