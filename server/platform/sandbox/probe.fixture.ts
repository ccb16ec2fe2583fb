import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

/** The targets of a probe. */
export type Probe = {
  /** A file with a secret, the data directory of another installation, and a folder that must not be written. */
  canary: string;
  otherData: string;
  written: string;
  /** A server on loopback, which is not the egress proxy. */
  port: number;
};

/** The names of successful attempts; there should be none. */
type ProbeResult = string[];

const attempt = async (name: string, work: () => unknown): Promise<string[]> => {
  try {
    await work();
    return [name];
  } catch {
    return [];
  }
};

const reach = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => resolve(void socket.destroy()));
    socket.once('error', reject);
  });

/** Tries everything from inside one of our processes. */
export async function tryEverything({ canary, otherData, written, port }: Probe): Promise<ProbeResult> {
  const attempts = [
    await attempt('read the canary', () => readFileSync(canary)),
    await attempt('read another data directory', () => readdirSync(otherData)),
    await attempt('write outside', () => writeFileSync(`${written}/by-probe`, 'x')),
    await attempt('reach the network', () => reach(port)),
    await attempt('start a program', () => {
      const { status } = spawnSync('/bin/true');
      if (status !== 0) throw new Error('It did not run.');
    }),
    await attempt("read the parent's environment", () => {
      for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        if (readFileSync(`/proc/${process}/environ`, 'utf8').includes('ASSAY_TEST_CANARY=')) return;
      }
      throw new Error('It is not there.');
    }),
  ];
  return attempts.flat();
}

/** Returns the same attempts as a shell script, which prints the names of the successful ones, one per line. */
export const shellProbe = ({ canary, otherData, written, port }: Probe): string => `
cat '${canary}' >/dev/null 2>&1 && echo 'read the canary'
ls '${otherData}' >/dev/null 2>&1 && echo 'read another data directory'
(echo x > '${written}/by-probe') 2>/dev/null && echo 'write outside'
/bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo 'reach the network'
grep -l 'ASSAY_TEST_CANAR[Y]=' /proc/[0-9]*/environ 2>/dev/null | grep -q . && echo "read the parent's environment"
[ -r /etc/shadow ] && cat /etc/shadow >/dev/null 2>&1 && echo 'read the passwords of the system'
(umount /tmp || mount -t tmpfs none /mnt) 2>/dev/null && echo 'change its mounts'
true
`;
