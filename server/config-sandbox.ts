import { list, oneOf, type Read } from './config-values.ts';
import { type SandboxMode, sandboxModes } from './platform/sandbox/sandbox.ts';

/** How git, scanners and our own processes that read hostile files are confined. */
export type SandboxConfig = {
  mode: SandboxMode;
  /** Files and folders that confined programs may read too. */
  readable: string[];
};

export const readSandbox = (read: Read, absolute: (path: string) => string): SandboxConfig => ({
  mode: read<SandboxMode>('ASSAY_SANDBOX', 'auto', oneOf(sandboxModes)),
  readable: read<string[]>('ASSAY_SANDBOX_READABLE', [], (text) => list(text).map(absolute)),
});
