import { crc32 } from 'node:zlib';
import { crc32Base36, crc32Base62 } from './checksums.ts';

function expand(alphabet: string): string {
  return alphabet.replace(/(.)-(.)/g, (_, from: string, to: string) => {
    const length = to.charCodeAt(0) - from.charCodeAt(0) + 1;
    return Array.from({ length }, (_value, index) => String.fromCharCode(from.charCodeAt(0) + index)).join('');
  });
}

/**
 * Returns a generator of 32-bit integers (mulberry32) that yields the same numbers for the same seed on every machine.
 */
function randomIntegers(seed: string): () => number {
  let state = crc32(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * Returns a made-up secret of `length` characters from `alphabet` (`0-9a-f`; a literal hyphen goes last), the same for
 * the same arguments. Its characters are distributed like random ones, so that entropy tests pass.
 */
export function sample(alphabet: string, length: number, seed = 'sample'): string {
  const characters = expand(alphabet);
  const next = randomIntegers(`${seed} ${alphabet} ${length}`);
  return Array.from({ length }, () => characters[next() % characters.length]).join('');
}

const base62 = '0-9A-Za-z';

/** Returns a token with GitHub's checksum: `prefix`, `length` characters, and their CRC-32 in 6 more. */
export function sampleWithCrc32Base62(prefix: string, length: number): string {
  const body = sample(base62, length, prefix);
  return prefix + body + crc32Base62(body);
}

/** Returns a routable GitLab token: `prefix`, payload, its length in base36, checksum. */
export function sampleRoutableGitLabToken(prefix: string, version = ''): string {
  const start = `${prefix}${sample('0-9A-Za-z_-', 32, prefix)}.${version}0w`;
  return start + crc32Base36(start);
}

/** Returns a JSON web token with a made-up signature. */
export function sampleJwt(header: object, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode(header)}.${encode(claims)}.${sample('0-9A-Za-z_-', 43, 'signature')}`;
}

/** Returns the canonical base64 of this number of made-up bytes. */
export function sampleBase64(bytes: number, seed = 'bytes'): string {
  return Buffer.from(sample('0-9a-f', bytes * 2, seed), 'hex').toString('base64');
}

/** Returns a PEM block with made-up contents. */
export function samplePem(label: string, bytes = 900): string {
  const lines = sampleBase64(bytes, label).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
}
