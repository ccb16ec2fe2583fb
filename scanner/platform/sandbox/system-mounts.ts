import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import type { Mount } from './confinement.ts';
import { isWithin } from './paths.ts';

/** The folders of programs and libraries. On most systems, /bin and /lib are links into /usr. */
const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

/**
 * Settings that programs need, without anything that may contain a secret: /etc as a whole contains keys and passwords.
 */
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

/** Returns the mounts that every program can access. They are looked up once per process. */
export function systemMounts(): Mount[] {
  known ??= [...programs, ...settings].filter(existsSync).map(mountOf);
  return known;
}

/** Returns whether every program can access this path. */
export const isOfSystem = (path: string): boolean => programs.some((folder) => isWithin(path, folder));

/** Returns the folders of a PATH that not every program can access. Folders of npm's scripts contain only links. */
export const foldersOf = (path: string): string[] =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfSystem(folder) && !folder.endsWith('node_modules/.bin'))
    .filter((folder) => folder !== '/' && existsSync(folder));
