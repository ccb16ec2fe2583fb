import type { Family } from './table.ts';

export const unencrypted: Family = {
  cwe: ['CWE-311'],
  risk: 'Anyone who obtains the storage, a copy or a backup can read everything on it.',
};
export const ownKey: Family = {
  cwe: ['CWE-311'],
  risk: 'Access to the key can’t be limited, logged or withdrawn, because the provider holds it.',
  advice: 'Use a key of your own.',
};
export const inTransit: Family = {
  cwe: ['CWE-319'],
  risk: 'Traffic can be read and changed on the network.',
};
export const oldTls: Family = {
  cwe: ['CWE-326', 'CWE-327'],
  risk: 'TLS 1.0 and 1.1 rely on broken hash functions and are deprecated.',
};
export const exposed: Family = {
  cwe: ['CWE-284', 'CWE-668'],
  risk: 'It can be reached from the Internet, so anyone can exploit a weak password or a vulnerability.',
  advice: 'Allow access only from its own network.',
};
export const unlogged: Family = {
  cwe: ['CWE-778'],
  risk: 'An attack leaves no traces that could be noticed or examined.',
};
export const unprotected: Family = {
  cwe: ['CWE-693'],
  risk: 'A mistake or an attacker can destroy data that can’t be restored.',
};
export const unrotated: Family = {
  cwe: ['CWE-324'],
  risk: 'A leaked key or secret stays valid for as long as it exists.',
};
export const weakAccess: Family = {
  cwe: ['CWE-284', 'CWE-287'],
  risk: 'Access is granted by less than a verified identity with the permissions that it needs.',
};
export const hardening: Family = {
  cwe: ['CWE-1188', 'CWE-693'],
  risk: 'A protection that the platform offers is off, so one mistake or vulnerability goes further.',
};
export const unchecked: Family = {
  cwe: ['CWE-1357', 'CWE-1104'],
  risk: 'Known vulnerabilities stay unnoticed or unfixed.',
};
