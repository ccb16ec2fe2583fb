import type { ProgramError } from '@assay/scanner/platform/child-process.ts';

/** A failed installation of a tool. The message says why and what to do, for the person who runs the command. */
export class InstallerError extends Error {}

type Registry = 'PyPI' | 'the Go module proxy';

const settingsOf: Record<Registry, string> = {
  PyPI: 'pip\'s own settings (PIP_INDEX_URL, HTTPS_PROXY; "pip config list" prints them)',
  'the Go module proxy': 'Go\'s own settings (GOPROXY, HTTPS_PROXY; "go env" prints them)',
};

const unreachable =
  /Failed to establish a new connection|NewConnectionError|ConnectTimeout|ReadTimeout|Temporary failure in name resolution|Name or service not known|nodename nor servname|Network is unreachable|ProxyError|dial tcp|no such host|i\/o timeout|connection refused|connection reset|TLS handshake|proxyconnect|CERTIFICATE_VERIFY_FAILED|certificate signed by unknown/i;
const changed = /DO NOT MATCH THE HASHES|checksum mismatch|SECURITY ERROR/i;
const withoutHash = /Hashes are required in --require-hashes mode/i;
const notThere =
  /No matching distribution found|Could not find a version|not available|unknown revision|404 Not Found|410 Gone/i;
const olderGo = /requires go >= (\S+) \(running go ([^;)]+)/i;

/** Explains why an installer's program failed. The message includes the program's own last lines. */
export function explainFailure(tool: string, registry: Registry, error: ProgramError): InstallerError {
  const said = error.stderr;
  const tail = said.trim().split('\n').slice(-8).join('\n');
  const explain = (sentence: string) => new InstallerError(tail ? `${sentence} It said:\n${tail}` : sentence);
  if (error.code === 'ENOSPC') return new InstallerError(`${tool} was not installed: the disk is full.`);
  if (error.reason === 'timeout') return explain(`${tool} was not installed: it took too long.`);
  if (changed.test(said) || withoutHash.test(said)) {
    return explain(`${tool} was not installed: ${registry} serves other files than the pinned ones.`);
  }
  const go = olderGo.exec(said);
  if (go) return new InstallerError(`${tool} was not installed: it needs Go ${go[1]}, and this is Go ${go[2]}.`);
  if (unreachable.test(said)) {
    return explain(
      `${tool} was not installed: ${registry} could not be reached. Check the network, and ${settingsOf[registry]}.`,
    );
  }
  if (notThere.test(said)) {
    return explain(
      `${tool} was not installed: ${registry} does not have it in the pinned version for this system. Check ${settingsOf[registry]}.`,
    );
  }
  return explain(`${tool} was not installed: ${error.message}`);
}
