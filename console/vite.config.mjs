// The build and the development server of the console: plain JavaScript for Node.js 24 (scripts/build-console.mjs,
// scripts/dev.mjs).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, parseAst } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const fileOf = (name) => join(root, name);

/** Returns the modules of a table in pages.ts by page path. */
function readTable(name) {
  const { body } = parseAst(readFileSync(fileOf('pages.ts'), 'utf8'), { lang: 'ts' });
  const declared = body.flatMap(({ declaration }) => declaration?.declarations ?? []);
  const { init } = declared.find(({ id }) => id.name === name);
  return init.expression.properties.map(({ key, value }) => [key.value, fileOf(value.body.source.value)]);
}

const pages = readTable('pages');
const publicPages = readTable('publicPages');
const main = fileOf('main.tsx');
const early = fileOf('early.ts');
const signedIn = fileOf('signed-in.tsx');
const signedOut = fileOf('signed-out.tsx');

/** Mantine's components of the pages without a session, and its core. One import lists all the others too. */
const mantine =
  /\/@mantine\/core\/esm\/(core|utils\/(?!Floating)|components\/(Button|Checkbox|Input|InputBase|InputClearButton|InputPlaceholder|Loader|PasswordInput|TextInput|ActionIcon|CloseButton|Transition|UnstyledButton|VisuallyHidden)\/)/;
const isBarrel = (id) => /\/@mantine\/(core|hooks)\/esm\/index\.mjs$/.test(id);

/** Returns a module and all its static imports. */
function closureOf(getModuleInfo, id, seen = new Set()) {
  if (seen.has(id)) return seen;
  seen.add(id);
  if (isBarrel(id)) return seen;
  for (const imported of getModuleInfo(id)?.importedIds ?? []) closureOf(getModuleInfo, imported, seen);
  return seen;
}

/**
 * Divides the modules into chunks. Every page loads `early`, which requests data at once, and `base`, which pages
 * without a session need too. The other pages also load `shared`, with the modules that more than two of them need.
 * Browsers load six files at a time, and a file for each set of pages would result in dozens.
 */
function nameChunks(getModuleInfo) {
  const closure = (id) => closureOf(getModuleInfo, id);
  const names = new Map();
  const uses = new Map();
  for (const [, page] of pages) for (const id of closure(page)) uses.set(id, (uses.get(id) ?? 0) + 1);
  for (const [id, count] of uses) if (count > 2) names.set(id, 'shared');
  for (const id of closure(signedIn)) names.set(id, 'shared');
  for (const page of [main, signedOut, ...publicPages.map(([, page]) => page)]) {
    for (const id of closure(page)) if (!/\/features\/sign-in\//.test(id)) names.set(id, 'base');
  }
  for (const id of closure(early)) names.set(id, 'early');
  return names;
}

let chunkNames;
function chunkOf(id, context) {
  chunkNames ??= nameChunks((module) => context.getModuleInfo(module));
  if (mantine.test(id)) return 'base';
  return chunkNames.get(id) ?? (/\/@(mantine|floating-ui)\//.test(id) ? 'shared' : null);
}

/** Each chunk includes its modules' imports, unless an earlier chunk has them. */
const groups = ['early', 'base', 'shared'].map((name, index) => ({
  name: (id, context) => (chunkOf(id, context) === name ? name : null),
  debugName: name,
  priority: 3 - index,
}));

const brotli = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } };

/** Returns the compressed forms of a file by file extension. */
const compressed = (fileName, source) =>
  /\.(js|css|html|svg)$/.test(fileName)
    ? [
        ['.br', brotliCompressSync(source, brotli)],
        ['.gz', gzipSync(source, { level: 9 })],
      ]
    : [];

/** Returns the files of a chunk and of all its static imports. */
function scriptsOf(bundle, chunk, scripts = new Set()) {
  if (scripts.has(chunk.fileName)) return scripts;
  scripts.add(chunk.fileName);
  for (const imported of chunk.imports) scriptsOf(bundle, bundle[imported], scripts);
  return scripts;
}

/** Writes an HTML file for each page, which lists the page's scripts, and compressed forms of all files. */
const writePages = () => ({
  name: 'write-pages',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'asset', name: 'icon.svg', source: readFileSync(fileOf('icon.svg')) });
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const chunkOfModule = (id) =>
        files.find(({ facadeModuleId, moduleIds }) => facadeModuleId === id || moduleIds?.includes(id));
      const assetOf = (ending) =>
        files.find(({ type, fileName }) => type === 'asset' && fileName.endsWith(ending)).fileName;
      const font = files.find(({ fileName }) => /\/inter-latin-wght-normal.*\.woff2$/.test(fileName)).fileName;
      const template = readFileSync(fileOf('index.html'), 'utf8')
        .replace('/icon.svg', `/${assetOf('.svg')}`)
        .replace('/early.ts', `/${chunkOfModule(early).fileName}`)
        .replace('/main.tsx', `/${chunkOfModule(main).fileName}`);
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      const compress = (fileName, source) => {
        for (const [ending, content] of compressed(fileName, source)) emit(fileName + ending, content);
      };
      for (const { fileName, code, source } of files) compress(fileName, code ?? source);
      const write = (fileName, modules) => {
        const scripts = new Set([main, ...modules].flatMap((id) => [...scriptsOf(bundle, chunkOfModule(id))]));
        scripts.delete(chunkOfModule(main).fileName);
        const links = [...scripts].map((script) => `<link rel="modulepreload" href="/${script}">\n`).join('');
        const source = template.replace(
          '</head>',
          `<link rel="stylesheet" href="/${assetOf('.css')}">\n<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>\n${links}</head>`,
        );
        emit(fileName, source);
        compress(fileName, source);
      };
      write('index.html', [signedIn]);
      // The root path leads to the overview.
      const overview = pages.find(([path]) => path === '/overview')[1];
      const all = [
        ...[['/', overview], ...pages].map(([path, page]) => [path, [signedIn, page]]),
        ...publicPages.map(([path, page]) => [path, [signedOut, page]]),
      ];
      for (const [index, [, modules]] of all.entries()) write(`pages/${index}.html`, modules);
      const names = Object.fromEntries(all.map(([path], index) => [path, `${index}.html`]));
      emit('pages.json', JSON.stringify(names));
    },
  },
});

export default defineConfig({
  root,
  plugins: [react(), writePages()],
  resolve: { alias: { '@assay/client': fileOf('../clients/typescript/src/index.ts') } },
  server: {
    port: 5173,
    strictPort: true,
    // The origin check needs the host name that the browser requested. `console/api/` is the console's own.
    proxy: { '/api/v1': { target: `http://127.0.0.1:${process.env.PORT ?? 8080}`, changeOrigin: false } },
  },
  build: {
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    license: { fileName: 'assets/licenses.md' },
    // The styles of all pages are small, so each page has them from the start.
    cssCodeSplit: false,
    // The pages' policy forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main, early },
      output: { codeSplitting: { groups } },
    },
  },
});
