import { dirname } from 'node:path';
import * as ofScanner from '@assay/scanner/platform/sandbox/node-process.ts';

const sources = dirname(dirname(import.meta.dirname));

/** Returns the files that one of the server's own processes needs to run, which never include the data directory. */
export const nodeFiles = () => ofScanner.nodeFiles(sources);

/**
 * Returns the options with which Node.js itself refuses everything that one of the server's processes does not need.
 */
export const nodePermissions = (needs: Omit<ofScanner.NodeNeeds, 'sources'>) =>
  ofScanner.nodePermissions({ ...needs, sources });
