import { crc32 } from 'node:zlib';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The CRC-32 (IEEE) of `text` in base62, left-padded with `0` to 6 characters: the suffix of GitHub's, npm's and our own tokens. */
export function crc32Base62(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = base62Digits[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(6, '0');
}

/** A verifier of tokens `prefix`, body, 6 characters of checksum over the body alone. */
export function crc32SuffixAfter(prefix: string): (secret: string) => boolean {
  return (secret) => crc32Base62(secret.slice(prefix.length, -6)) === secret.slice(-6);
}

/** The last 7 characters of a routable GitLab token: CRC-32 of everything before them, in base36. */
export function crc32Base36(text: string): string {
  return crc32(text).toString(36).padStart(7, '0');
}

/** Whether the token ends in the CRC-32 of what stands before, as GitLab's routable tokens do. */
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

/** Whether the header of a compact JWS decodes to JSON that names a signing algorithm, and the payload to JSON. Unsigned tokens prove nothing and don't count. */
export function isSignedJwt(secret: string): boolean {
  const [header, payload, signature] = secret.split('.');
  if (!header || !payload || !signature) return false;
  const algorithm = decodeJson(header)?.alg;
  return typeof algorithm === 'string' && algorithm.toLowerCase() !== 'none' && decodeJson(payload) !== null;
}

/** Whether the claims of a JWT hold `claim` with `value`: Supabase, for one, tells its public keys from its secret ones by `role`. */
export function jwtClaimIs(secret: string, claim: string, value: string): boolean {
  return decodeJson(secret.split('.')[1] ?? '')?.[claim] === value;
}

/** A verifier of canonical base64 that decodes to so many bytes. */
export function decodesToBytes(count: number): (secret: string) => boolean {
  return (secret) => {
    const bytes = Buffer.from(secret, 'base64');
    return bytes.length === count && bytes.toString('base64').replaceAll('=', '') === secret.replaceAll('=', '');
  };
}

/** Discord bot tokens begin with the bot's numeric id (a snowflake of 17-20 digits) in base64. */
export function beginsWithEncodedSnowflake(secret: string): boolean {
  const id = Buffer.from(secret.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{17,20}$/.test(id);
}

/** An AWS access key id from documentation ends in EXAMPLE. */
export function isNotAwsExample(secret: string): boolean {
  return !secret.endsWith('EXAMPLE') && !secret.includes('EXAMPLE');
}

/** Lower case, upper case and digits all occur: true of nearly every random secret of 40 letters and digits, of no hash and of few words. */
export function mixesCasesAndDigits(secret: string): boolean {
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret);
}

/** A digit and a letter both occur. */
export function mixesLettersAndDigits(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /\d/.test(secret);
}
