import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { commands } from './commands.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the URLs of all modules that the process loads into the file named by the variable. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });
`)}`;

/** Runs the program and returns its output and the files that it loaded, relative to the repository. */
function runAssay(...commandLine: string[]) {
  const list = join(folder, 'loaded');
  rmSync(list, { force: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', recorder, join(root, 'server', 'assay.mjs'), ...commandLine],
    { encoding: 'utf8', env: { ...process.env, LOADED: list } },
  );
  assert.equal(status, 0, stderr);
  const urls = readFileSync(list, 'utf8').split('\n');
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url).slice(root.length + 1));
  return { stdout, loaded: [...new Set(files)] };
}

test('the help and the version load nothing but the list of commands', () => {
  const own = ['assay.mjs', 'processes/bundled-packages.mjs', 'main.ts', 'commands/commands.ts', 'package.json'].map(
    (name) => `server/${name}`,
  );
  own.push('scanner/platform/terminal-text.ts');
  for (const option of ['--help', '--version']) {
    const { loaded } = runAssay(option);
    const others = loaded.filter((file) => !file.startsWith('node_modules/commander/') && !own.includes(file));
    assert.deepEqual(others, [], option);
  }
});

test('the help describes each command like the command’s own help', async () => {
  const { stdout } = runAssay('--help');
  const lines = stdout.replace(/\s+/g, ' ');
  for (const entry of commands) {
    const program = new Command('assay');
    await entry.register(program);
    const [command] = program.commands;
    const term = new Command().createHelp().subcommandTerm(command!);
    assert.deepEqual([`${entry.name} ${entry.usage ?? ''}`.trim(), entry.description], [term, command!.description()]);
    assert.ok(lines.includes(`${term} ${entry.description}`), term);
  }
});

const heavy =
  /detectors\/[^/]+\/(rules|languages)\/|advisories\/versions\/|detection\/(external|scans)\/|readers\/formats\/|ast-grep|re2js|typebox|js-yaml|\/pg\//;

test('a scan loads the rules and parsers for the files it finds, and no others', () => {
  const empty = join(folder, 'empty');
  const { loaded, stdout } = runAssay('scan', mkdtempSync(empty));
  assert.match(stdout, /^No findings in empty/);
  assert.deepEqual(
    loaded.filter((file) => heavy.test(file)),
    [],
  );
  const secrets = runAssay('scan', join(root, 'LICENSE')).loaded;
  assert.ok(secrets.some((file) => file.startsWith('scanner/detectors/secrets/rules/')));
  assert.deepEqual(
    secrets.filter((file) =>
      /detectors\/(code|infrastructure|web)\/rules\/|parse-rule|advisories\/versions\//.test(file),
    ),
    [],
  );
});
