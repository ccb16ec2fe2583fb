import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { documentTypescript } from '../../../scripts/clients/documents.mjs';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { methodsOf, readSurface } from '../../../scripts/clients/surface.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Returns the names of an object's public methods, including inherited ones. */
function methodsOn(object) {
  const found = [];
  for (let place = Object.getPrototypeOf(object); place !== Object.prototype; place = Object.getPrototypeOf(place)) {
    found.push(...Object.getOwnPropertyNames(place));
  }
  return found.filter((name) => !['constructor', 'call', 'pages'].includes(name));
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

describe('the package, installed from its tarball', () => {
  let installed;
  let folder;
  let library;
  before(async () => {
    installed = await installedPackage();
    library = await installed.module();
    folder = await mkdtemp(join(tmpdir(), 'assay-package-'));
    await cp(installed.project, folder, { recursive: true });
  });
  after(() => rm(folder, { recursive: true }));

  const bundle = async (name, code) => {
    const input = join(folder, `${name}.js`);
    await writeFile(input, code);
    const { output } = await build({
      input,
      platform: 'browser',
      transform: { target: 'es2022' },
      output: { minify: true },
      write: false,
      logLevel: 'silent',
    });
    return output[0].code;
  };

  test('it contains code, types and documents, and nothing else', () => {
    const { files } = installed;
    for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']) {
      assert.ok(files.includes(file), file);
    }
    assert.deepEqual(
      files.filter((file) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(file)),
      [],
    );
  });

  test('it has no dependencies and the version of the API', async () => {
    const manifest = JSON.parse(
      await readFile(join(folder, 'node_modules', '@assay', 'client', 'package.json'), 'utf8'),
    );
    const description = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
    assert.deepEqual(manifest.dependencies ?? {}, {});
    assert.deepEqual(manifest.peerDependencies ?? {}, {});
    assert.deepEqual([manifest.version, library.version], [description.info.version, description.info.version]);
  });

  test('it offers exactly the methods of the surface, by name', async () => {
    const client = new library.Assay({ token: 'test', baseUrl: 'http://127.0.0.1:1/api/v1' });
    const surface = await readSurface();
    const resourceAt = (path) => path.split('.').reduce((place, name) => place[camel(name)], client);
    for (const [resource, method] of methodsOf(surface)) {
      assert.equal(typeof resourceAt(resource)[camel(method)], 'function', `${resource}.${method}`);
    }
    for (const [resource, methods] of Object.entries(surface.resources)) {
      const expected = Object.keys(methods).map(camel);
      // An overridden method is in both the class and its base.
      assert.deepEqual([...new Set(methodsOn(resourceAt(resource)))].sort(), expected.sort(), resource);
    }
    const resources = Object.keys(surface.resources).filter((name) => !name.includes('.'));
    assert.deepEqual(Object.keys(client).sort(), resources.map(camel).sort());
  });

  test('its compressed size in a browser is at most 12 kB, and it needs no module of Node.js', async () => {
    const text = await bundle('all', "import { Assay } from '@assay/client'; globalThis.client = new Assay();");
    const size = gzipSync(text).length;
    assert.ok(size <= 12_000, `${size} bytes`);
    assert.doesNotMatch(text, /from ?"node:|import\("node:|require\(/);
  });

  test('unused code is left out of a bundle', async () => {
    const text = await bundle('little', "import { version } from '@assay/client'; console.log(version);");
    assert.ok(text.length < 100, text);
    const errors = await bundle('errors', "import { NotFoundError } from '@assay/client'; console.log(NotFoundError);");
    assert.doesNotMatch(errors, /idempotency-key|scan-schedules/);
  });

  test('its types pass in strict projects, with the module resolution of Node.js and of bundlers', async () => {
    await writeFile(
      join(folder, 'use.ts'),
      `import { Assay, Content, NotFoundError, Page, type Finding, type FindingListParams, type Scan } from '@assay/client';
       const token: string | undefined = undefined;
       const client = new Assay({ token, baseUrl: 'http://127.0.0.1:1/api/v1' });
       export async function use(): Promise<void> {
         const params: FindingListParams = { status: ['new'], from: new Date(), limit: 2 };
         const page: Page<Finding> = await client.findings.list(params);
         const texts: string[] = page.data.map((finding) => finding.location.path ?? finding.title);
         for await (const finding of client.findings.list()) texts.push(finding.severity);
         const scan: Scan = await client.detectionSources.scan('secrets', { data_source: 'ds_1' });
         for await (const { event, data } of client.scans.events(scan.id)) texts.push(event, data.status);
         const file: Content = await client.reports.export('rpt_1', { format: 'pdf' });
         await file.saveTo('report.pdf');
         const { response } = await client.findings.get('fnd_1').withResponse();
         await client.findings.update('fnd_1', { status: 'triaged' }, { ifMatch: response.headers.get('etag') ?? '' });
         // @ts-expect-error: an unknown status
         await client.findings.update('fnd_1', { status: 'gone' });
         // @ts-expect-error: an unknown filter
         await client.findings.list({ colour: 'red' });
         // @ts-expect-error: an unknown field
         page.data[0]!.colour;
         const short = await client.findings.list({ fields: ['title'] });
         texts.push(short.data[0]!.id, short.data[0]!.title);
         // @ts-expect-error: a field that was not selected
         short.data[0]!.description;
         for await (const event of client.events.follow({ lastEventId: '7' })) {
           if (event.event === 'findings') texts.push(String(event.data.created), event.id ?? '');
           // @ts-expect-error: a field of another event
           if (event.event === 'scan') event.data.created;
         }
         const error: unknown = null;
         if (error instanceof NotFoundError) texts.push(error.code ?? '', String(error.status));
       }`,
    );
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const strict = [
      '--noEmit',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--exactOptionalPropertyTypes',
      '--types',
      '',
    ];
    const common = [
      ...strict,
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.asynciterable',
      '--skipLibCheck',
      'false',
    ];
    for (const module of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']]) {
      const result = run(tsc, [...common, '--module', ...module, 'use.ts'], { cwd: folder });
      await result.catch((error) => assert.fail(error.stdout));
    }
  });

  test('an empty address is refused, and a page may pass a path of its own site', () => {
    assert.throws(() => new library.Assay({ token: 't', baseUrl: '' }), { code: 'invalid_argument' });
    assert.throws(() => new library.Assay({ token: 't', baseUrl: '/api/v1' }), { code: 'invalid_argument' });
    globalThis.location = new URL('https://assay.example/page');
    assert.ok(new library.Assay({ token: null, baseUrl: '/api/v1' }));
    delete globalThis.location;
  });

  test('a client shows its token neither when printed nor as JSON', () => {
    const token = 'asy_neverShown';
    const client = new library.Assay({ token, baseUrl: 'http://127.0.0.1:1/api/v1' });
    for (const text of [inspect(client, { depth: null, showHidden: true }), JSON.stringify(client), String(client)]) {
      assert.ok(!text.includes(token), text);
    }
  });

  test('an unawaited call that fails is an unhandled rejection, not silence', async () => {
    const code = `import { Assay } from '@assay/client';
      process.on('unhandledRejection', (error) => { console.log(error.name); process.exit(7); });
      new Assay({ token: 't', baseUrl: 'http://127.0.0.1:1/api/v1', maxRetries: 0 }).organization.get();`;
    await writeFile(join(folder, 'unawaited.mjs'), code);
    await assert.rejects(run(process.execPath, ['unawaited.mjs'], { cwd: folder }), (error) => {
      assert.deepEqual([error.code, error.stdout.trim()], [7, 'APIConnectionError']);
      return true;
    });
  });

  test('the release script builds the tarball and prints how to publish it', async () => {
    const script = join(root, 'scripts', 'release-clients.mjs');
    const { stdout } = await run(process.execPath, [script, '--out', join(folder, 'release'), 'typescript']);
    assert.match(stdout, /^typescript .*assay-client-[\d.]+\.tgz\n {2}To publish it: npm publish /);
    assert.ok((await readFile(join(folder, 'release', `assay-client-${library.version}.tgz`))).length > 10_000);
    await assert.rejects(run(process.execPath, [script, 'cobol']), /There is no language cobol/);
  });

  test('the reference is generated without a warning', async () => {
    const target = documentTypescript(join(folder, 'reference'));
    assert.match(await readFile(join(target, 'classes', 'Assay.html'), 'utf8'), /detectionSources/);
  });
});
