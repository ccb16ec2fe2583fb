// Builds console/ into console/dist, if anything changed since the last build. Plain JavaScript for the machine's own Node.js.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
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

const page = ({ main, icon, shared, styles }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Assay</title>
<link rel="icon" href="/assets/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/assets/${styles}">
${shared.map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join('\n')}
<script type="module" src="/assets/${main}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript. The API is described at <a href="/api/v1/docs">/api/v1/docs</a>.</noscript>
</body>
</html>
`;

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

async function build(stamp) {
  const { build: bundle } = await import('esbuild');
  // The new folder replaces the old one only when it is complete.
  const folder = `${output}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await bundle({
    entryPoints: { main: join(source, 'main.tsx'), icon: join(source, 'icon.svg') },
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    minify: true,
    metafile: true,
    legalComments: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.svg': 'copy' },
    alias: { '@assay/client': join(client, 'index.ts') },
    absWorkingDir: root,
    logLevel: 'error',
  });
  const outputs = Object.entries(metafile.outputs);
  const entry = outputs.find(([, { entryPoint }]) => entryPoint === 'console/main.tsx');
  const name = ([path]) => basename(path);
  const index = page({
    main: name(entry),
    icon: name(outputs.find(([path]) => path.endsWith('.svg'))),
    shared: entry[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    styles: joinStyles(folder, outputs),
  });
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'metafile.json'), JSON.stringify(metafile));
  for (const path of filesOf(folder)) if (compressible.test(path)) compress(path);
  writeFileSync(join(folder, basename(stampFile)), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

/** Builds the console when its sources changed since the last build. `say` receives a line when there is work. */
export async function buildConsole(say) {
  const stamp = hashInputs();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building the console …');
  await build(stamp);
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  await buildConsole((text) => process.stdout.write(`${text}\n`));
  process.stdout.write(`${relative(dirname(root), output)} is current.\n`);
}
