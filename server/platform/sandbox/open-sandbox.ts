import {
  SandboxMissing,
  type SandboxSettings,
  type SandboxStatus,
  sandboxStatus,
  setSandboxSettings,
} from '@assay/scanner/platform/sandbox/sandbox.ts';
import type { Log } from '../log.ts';

const how = 'docs/operating.md says how to change that, under "Sandbox".';

/** Returns the log line at startup. */
function sentenceOf({ status, kind, reason }: SandboxStatus): string {
  const by = kind === 'bubblewrap' ? 'by bubblewrap' : 'in user namespaces';
  if (status === 'active') return `Git, scanners and parsers of untrusted files are confined ${by}.`;
  if (status === 'partial')
    return `Git, scanners and parsers of untrusted files are only partly confined ${by}. ${reason} ${how}`;
  return `Git, scanners and parsers of untrusted files run with all rights of this user. ${reason} ${how}`;
}

/**
 * Sets how this process confines programs, and detects the kind of sandbox that the machine allows. Throws
 * SandboxMissing when a required one is missing. `says` logs the result: confinement is never skipped silently.
 */
export function openSandbox(settings: SandboxSettings, log: Log, says: boolean): void {
  setSandboxSettings(settings);
  const found = sandboxStatus();
  if (settings.mode === 'required' && found.status !== 'active') throw new SandboxMissing(found.reason ?? '');
  if (!says) return;
  const { status, kind } = found;
  log[status === 'active' ? 'info' : 'warn']({ sandbox: status, by: kind }, sentenceOf(found));
}

/** Warns when this process, and so every scanner that it starts, runs as root. */
export function warnOfRoot(log: Log, user = process.getuid?.()): void {
  if (user !== 0) return;
  log.warn(
    'The worker runs as root, and so do git and the scanners that it starts: anything that escapes from one controls the machine. Run Assay as a separate user (docs/deployment.md).',
  );
}
