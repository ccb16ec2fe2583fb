import type { Bootstrapped } from '../identity/bootstrap.ts';

export type Welcome = {
  /** The URL of the server: `http://127.0.0.1:8080`. */
  address: string;
  /** The owner that this start created: its secrets are printed only now. Null on later starts. */
  owner: Bootstrapped | null;
  /** `file:` URL of the sample repository; null when this process scans nothing. */
  sample: string | null;
};

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function tries({ address, owner, sample }: Welcome): string[] {
  const api = `${address}/api/v1`;
  // A token that the operator chose is not printed: the shell inserts it.
  const { token } = owner!;
  const authorization = `-H ${token === null ? '"Authorization: Bearer $ASSAY_BOOTSTRAP_TOKEN"' : quote(`Authorization: Bearer ${token}`)}`;
  const body = JSON.stringify({ kind: 'git_repository', name: 'sample', config: { url: sample } });
  return [
    '  Or by the API: add the sample repository, scan it, list what was found.',
    '',
    `curl -sw '\\n' ${api}/data-sources ${authorization} -H 'Content-Type: application/json' -d ${quote(body)}`,
    `curl -sw '\\n' -X POST ${api}/detection-sources/secrets/scan ${authorization} -H 'Prefer: wait=30'`,
    `curl -sw '\\n' ${quote(`${api}/findings?status=new&limit=5`)} ${authorization}`,
    '',
  ];
}

function credentials(owner: Bootstrapped): string[] {
  return [
    `  Organization  ${owner.organization.name}`,
    `  Sign-in       ${owner.email}${owner.password === null ? '' : `  ${owner.password}`}`,
    `  API token     ${owner.token ?? '(the one in $ASSAY_BOOTSTRAP_TOKEN)'}`,
    '',
    ...(owner.password ? ['  The password works for 24 hours: you choose your own when you sign in.'] : []),
    ...(owner.token ? ['  The token is shown this once: keep it.'] : []),
    '',
  ];
}

/** Returns the text that is printed when the server is ready. */
export function firstSteps(welcome: Welcome): string {
  const { address, owner, sample } = welcome;
  const lines = [
    '',
    `  Assay is ready at ${address}`,
    '  Open it in a browser and sign in.',
    '',
    `  API           ${address}/api/v1/docs`,
    '',
  ];
  if (owner) lines.push(...credentials(owner));
  if (owner && sample) lines.push(...tries(welcome));
  return `${lines.join('\n')}\n`;
}
