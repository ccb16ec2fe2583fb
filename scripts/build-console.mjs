// Builds console/ into console/dist, if anything changed since the last build. Plain JavaScript for the machine's own Node.js.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { writeTypescript } from './clients/typescript.mjs';
import { writeConsoleTables } from './console-tables.mjs';
import { root } from './node.mjs';

const source = join(root, 'console');
const client = join(root, 'clients', 'typescript', 'src');
const output = join(source, 'dist');
const stampFile = join(output, 'built-from.txt');

const skipped = new Set(['dist', 'node_modules', 'tests']);

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

/** Returns a hash of everything that the build reads: sources, the client library, and the versions of all packages. */
function hashInputs() {
  const hash = createHash('sha256');
  for (const path of [
    ...filesOf(source),
    ...filesOf(client),
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ])
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

const page = ({ early, main, icon, styles, scripts }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Assay</title>
<script async src="/assets/${early}"></script>
<link rel="icon" href="/assets/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${styles}">
${scripts.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('\n')}
<script type="module" src="/assets/${main}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript. The API is described at <a href="/api/v1/docs">/api/v1/docs</a>.</noscript>
</body>
</html>
`;

/** The modules of the pages, by their paths, as the table of routes has them. */
function readPages() {
  const routes = readFileSync(join(source, 'routes.tsx'), 'utf8');
  const paths = new Map(
    [...readFileSync(join(source, 'paths.ts'), 'utf8').matchAll(/^ {2}(\w+): '(.+)',$/gm)].map(([, name, path]) => [
      name,
      path,
    ]),
  );
  const pattern = /age\((?:paths\.(\w+)|`\$\{paths\.(\w+)\}(\/\$id)`), \(\) => import\('\.\/(.+)'\)\)/g;
  const pages = [...routes.matchAll(pattern)].map(([, name, parent, child = '', file]) => ({
    path: `${paths.get(name ?? parent)}${child}`,
    file,
  }));
  if (pages.length !== routes.split('import(').length - 1) throw new Error('The table of routes has changed its form.');
  return pages;
}

/**
 * Code that is in one file for all pages: what they share would otherwise become a file for each set of pages. Browsers load
 * six files at a time, and what a page shows would wait behind them.
 */
const common = [
  /^(api|filters|keys|list|ui)\/(?!key-sheet|palette|.+\.(test|d)\.ts).+\.tsx?$/,
  /^features\/scans\/(marks|messages|queries|running-scan|scan-table|words)\.tsx?$/,
  /^features\/findings\/(actions|conflict-note|detail|listed-finding|marks|parameters|queries|use-triage|views|words)\.tsx?$/,
];
/** Scripts that a page loads later. */
const loadedLater = [
  'keys/key-sheet.tsx',
  'keys/palette.tsx',
  'features/profile/refused-page.tsx',
  ...[
    'bulk-dialog',
    'bulk-history',
    'conflict-dialog',
    'flow-and-fix',
    'groups',
    'markdown',
    'save-view-dialog',
    'timeline',
  ].map((name) => `features/findings/${name}.tsx`),
];

/** Has every page import the entry and all common modules, so that the bundler puts these into one file. */
const joinCommon = (pages) => ({
  name: 'join-common',
  setup({ onLoad, onResolve }) {
    const loaded = new Set([...loadedLater, ...pages.map(({ file }) => file)]);
    const name = 'common-modules';
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name, sideEffects: true }));
    onLoad({ filter: /.*/, namespace: name }, () => ({
      contents: [...filesOf(source)]
        .map((path) => relative(source, path))
        .filter((path) => path === 'main.tsx' || common.some((pattern) => pattern.test(path)))
        .map((path) => `import './${path}';`)
        .join('\n'),
      resolveDir: source,
    }));
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (!loaded.has(relative(source, path))) return null;
      return { contents: `${readFileSync(path, 'utf8')}\nimport '${name}';\n`, loader: 'tsx' };
    });
  },
});

const compressible = /\.(js|css|html|svg)$/;

function compress(path) {
  const content = readFileSync(path);
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

/**
 * Joins the style sheets of all pages into one, with each source once, and returns its name. They are small, and no page is
 * shown without its styles. The bundler writes one sheet for each page, with the parts in the order of its list.
 */
function joinStyles(folder, outputs) {
  const parts = new Map();
  const sheets = outputs.filter(([path]) => path.endsWith('.css'));
  const isFirst = ([path]) => basename(path).startsWith('main-');
  for (const [path, { inputs }] of [...sheets.filter(isFirst), ...sheets.filter((sheet) => !isFirst(sheet))]) {
    const file = join(folder, 'assets', basename(path));
    const content = readFileSync(file);
    let start = 0;
    for (const [source, { bytesInOutput }] of Object.entries(inputs)) {
      if (!parts.has(source)) parts.set(source, content.subarray(start, start + bytesInOutput));
      start += bytesInOutput;
    }
    if (start < content.length - 1) throw new Error(`${path} holds more than its sources.`);
    rmSync(file);
  }
  const content = Buffer.concat([...parts.values()]);
  const name = `styles-${createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase()}.css`;
  writeFileSync(join(folder, 'assets', name), content);
  return name;
}

/** Adds a script and everything that it imports statically, by their paths in the bundler's list of outputs. */
export function addScripts(outputs, path, scripts) {
  if (scripts.has(path)) return scripts;
  scripts.add(path);
  for (const { kind, path: target } of outputs[path].imports) {
    if (kind === 'import-statement') addScripts(outputs, target, scripts);
  }
  return scripts;
}

/** Returns the script that holds the code of an entry: the entry's own may only import another. */
function codeOf(outputs, path) {
  const { inputs, imports } = outputs[path];
  const targets = imports.filter(({ kind }) => kind === 'import-statement');
  const isEmpty = Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
  return isEmpty && targets.length === 1 ? targets[0].path : path;
}

async function build(stamp) {
  const { build: bundle } = await import('esbuild');
  // The new folder replaces the old one only when it is complete.
  const folder = `${output}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pages = readPages();
  const options = {
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    minify: true,
    metafile: true,
    legalComments: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { '@assay/client': join(client, 'index.ts') },
    absWorkingDir: root,
    logLevel: 'error',
  };
  const [{ metafile }, early] = await Promise.all([
    bundle({
      ...options,
      entryPoints: { main: join(source, 'main.tsx'), icon: join(source, 'icon.svg') },
      splitting: true,
      format: 'esm',
      jsx: 'automatic',
      loader: { '.svg': 'copy' },
      plugins: [joinCommon(pages)],
    }),
    bundle({ ...options, entryPoints: { early: join(source, 'early.ts') }, format: 'iife' }),
  ]);
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (file) => outputs.find(([, { entryPoint }]) => entryPoint === `console/${file}`)[0];
  const scriptsOf = (path) => [...addScripts(metafile.outputs, path, new Set())];
  const shared = {
    early: basename(Object.keys(early.metafile.outputs).find((path) => path.endsWith('.js'))),
    main: basename(codeOf(metafile.outputs, outputOf('main.tsx'))),
    icon: basename(outputs.find(([path]) => path.endsWith('.svg'))[0]),
    styles: joinStyles(folder, outputs),
  };
  const write = (file, paths) => {
    const scripts = [...new Set(paths.map((path) => codeOf(metafile.outputs, path)).flatMap(scriptsOf))].map((path) =>
      basename(path),
    );
    const preloaded = scripts.filter((script) => script !== shared.main);
    writeFileSync(join(folder, file), page({ ...shared, scripts: preloaded }));
  };
  write('index.html', [outputOf('main.tsx')]);
  mkdirSync(join(folder, 'pages'));
  const names = {};
  // The first path leads to the overview.
  const overview = pages.find(({ path }) => path === '/overview');
  for (const [index, { path, file }] of [{ ...overview, path: '/' }, ...pages].entries()) {
    names[path] = `${index}.html`;
    write(join('pages', names[path]), [outputOf('main.tsx'), outputOf(file)]);
  }
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(names));
  writeFileSync(join(folder, 'metafile.json'), JSON.stringify(metafile));
  for (const path of filesOf(folder)) if (compressible.test(path)) compress(path);
  writeFileSync(join(folder, basename(stampFile)), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

/**
 * Builds the console when its sources changed since the last build, after making those that are not in git. `say` receives
 * a line when there is work.
 */
export async function buildConsole(say) {
  await writeTypescript();
  writeConsoleTables();
  const stamp = hashInputs();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building the console …');
  await build(stamp);
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  await buildConsole((text) => process.stdout.write(`${text}\n`));
  process.stdout.write(`${relative(dirname(root), output)} is current.\n`);
}
