import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'asy_';
const randomLength = 34;
const checksumLength = 6;
const shape = /^asy_([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/;

/** Returns `length` characters of base62, each equally likely: bytes above the last multiple of 62 are discarded. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  while (rest > 0) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text.padStart(checksumLength, '0');
}

/** Generates an API token in clear text. It is shown once; only its `hashToken` is stored. */
export function createToken(): string {
  const random = randomBase62(randomLength);
  return prefix + random + checksum(random);
}

/** Returns whether the text has the form and the checksum of our tokens. */
export function isToken(text: string): boolean {
  const match = shape.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

/** Returns the SHA-256 of a token. It has 202 random bits, so a slow hash would protect no better. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
