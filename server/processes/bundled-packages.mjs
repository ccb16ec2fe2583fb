import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Loads the packages that have hundreds of modules each from the bundles that scripts/bundle-packages.mjs made of them:
 * measured here, the API is loaded in 1.2 s of processor time instead of 1.8, with 50 MB less. Without bundles, or with
 * those of other versions, it loads the packages themselves.
 */
const folder = new URL('../../node_modules/.cache/bundled/', import.meta.url);
const lockFile = new URL('../../package-lock.json', import.meta.url);

function readBundles() {
  try {
    const { lock, bundles } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'));
    // An image has its packages without the lock file, and nothing changes them there.
    const isCurrent =
      !existsSync(lockFile) || createHash('sha256').update(readFileSync(lockFile)).digest('hex') === lock;
    return isCurrent ? bundles : {};
  } catch {
    return {};
  }
}

const urls = new Map(Object.entries(readBundles()).map(([name, file]) => [name, new URL(file, folder).href]));

if (urls.size > 0) {
  registerHooks({
    resolve(specifier, context, next) {
      const url = context.parentURL?.includes('/node_modules/') ? undefined : urls.get(specifier);
      return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
  });
  // The processes that this one starts get its options.
  if (!process.execArgv.includes(import.meta.url)) process.execArgv.push('--import', import.meta.url);
}
