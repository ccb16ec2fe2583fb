// Finds the Node.js that runs Assay. Plain JavaScript for the machine's own Node.js.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The version that is installed as a package. From this major version on, the machine's own is used instead. */
export const neededMajor = 24;

/** Returns the path of the installed Node.js, else of the running one if it is new enough, else null. */
export function findNode() {
  const installed = join(root, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(installed)) return installed;
  return Number.parseInt(process.versions.node, 10) >= neededMajor ? process.execPath : null;
}
