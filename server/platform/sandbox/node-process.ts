import { dirname } from 'node:path';
import * as ofScanner from '@assay/scanner/platform/sandbox/node-process.ts';

const sources = dirname(dirname(import.meta.dirname));

/** Returns what a process of the server's own reads to run, and never the data directory. */
export const nodeFiles = () => ofScanner.nodeFiles(sources);

/** Returns the options that let Node.js itself refuse what a process of the server does not need. */
export const nodePermissions = (needs: Omit<ofScanner.NodeNeeds, 'sources'>) =>
  ofScanner.nodePermissions({ ...needs, sources });
