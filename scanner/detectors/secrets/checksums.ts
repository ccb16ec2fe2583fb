import { crc32 } from 'node:zlib';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns the CRC-32 (IEEE) of `text` in base62, left-padded with `0` to 6 characters: the suffix of GitHub's, npm's
 * and our own tokens.
 */
export function crc32Base62(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = base62Digits[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(6, '0');
}

/** Returns a verifier of tokens that consist of `prefix`, a body, and 6 characters of checksum of the body. */
export function crc32SuffixAfter(prefix: string): (secret: string) => boolean {
  return (secret) => crc32Base62(secret.slice(prefix.length, -6)) === secret.slice(-6);
}

/** Returns the last 7 characters of a routable GitLab token: the CRC-32 of everything before them, in base36. */
export function crc32Base36(text: string): string {
  return crc32(text).toString(36).padStart(7, '0');
}

/** Returns whether the token ends in the CRC-32 of the rest, like GitLab's routable tokens. */
export function hasGitLabChecksum(secret: string): boolean {
  return crc32Base36(secret.slice(0, -7)) === secret.slice(-7);
}

function decodeJson(base64url: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether the header of a compact JWS decodes to JSON that names a signing algorithm, and the payload to JSON.
 * Unsigned tokens grant nothing, so they don't count.
 */
export function isSignedJwt(secret: string): boolean {
  const [header, payload, signature] = secret.split('.');
  if (!header || !payload || !signature) return false;
  const algorithm = decodeJson(header)?.alg;
  return typeof algorithm === 'string' && algorithm.toLowerCase() !== 'none' && decodeJson(payload) !== null;
}

/**
 * Returns whether a JWT has the claim with this value. Supabase, for example, distinguishes public and secret keys by
 * `role`.
 */
export function jwtClaimIs(secret: string, claim: string, value: string): boolean {
  return decodeJson(secret.split('.')[1] ?? '')?.[claim] === value;
}

/** Returns a verifier of canonical base64 that decodes to this number of bytes. */
export function decodesToBytes(count: number): (secret: string) => boolean {
  return (secret) => {
    const bytes = Buffer.from(secret, 'base64');
    return bytes.length === count && bytes.toString('base64').replaceAll('=', '') === secret.replaceAll('=', '');
  };
}

/** Discord bot tokens start with the bot's numeric id (a snowflake of 17-20 digits) in base64. */
export function beginsWithEncodedSnowflake(secret: string): boolean {
  const id = Buffer.from(secret.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{17,20}$/.test(id);
}

/** AWS access key ids in documentation end in EXAMPLE. */
export function isNotAwsExample(secret: string): boolean {
  return !secret.endsWith('EXAMPLE') && !secret.includes('EXAMPLE');
}

/**
 * Returns whether lower case, upper case and digits all occur. They do in nearly every random secret of 40 letters and
 * digits, but in no hash and in few words.
 */
export function mixesCasesAndDigits(secret: string): boolean {
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret);
}

/** Returns whether both a digit and a letter occur. */
export function mixesLettersAndDigits(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /\d/.test(secret);
}
