import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import type { Mount } from './confinement.ts';
import { isWithin } from './paths.ts';

/** Where systems keep programs and libraries; on most, /bin and /lib are links into /usr. */
const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

/** Settings that programs need, and nothing that may hold a secret: /etc as a whole holds keys and passwords. */
const settings = [
  'alternatives',
  'crypto-policies',
  'fonts',
  'group',
  'hosts',
  'java-11-openjdk',
  'java-17-openjdk',
  'java-21-openjdk',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'pki/tls',
  'pki/ca-trust',
  'protocols',
  'resolv.conf',
  'services',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'testssl',
].map((name) => `/etc/${name}`);

function mountOf(path: string): Mount {
  // The target of /etc/resolv.conf is elsewhere: its content is mounted. Links to folders stay links.
  const isLink = !path.startsWith('/etc/') && lstatSync(path).isSymbolicLink();
  return isLink ? { kind: 'link', path, target: readlinkSync(path) } : { kind: 'read', path };
}

let known: Mount[] | null = null;

/** Returns the mounts that every program sees. They are looked up once in a process. */
export function systemMounts(): Mount[] {
  known ??= [...programs, ...settings].filter(existsSync).map(mountOf);
  return known;
}

/** Whether every program sees this path. */
export const isOfSystem = (path: string): boolean => programs.some((folder) => isWithin(path, folder));

/** Returns the folders of a PATH that not every program sees. Those of npm's scripts hold links and nothing else. */
export const foldersOf = (path: string): string[] =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfSystem(folder) && !folder.endsWith('node_modules/.bin'))
    .filter((folder) => folder !== '/' && existsSync(folder));
