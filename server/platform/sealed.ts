import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Everything that depends on the installation's secret key. Each key is derived for one purpose and never leaves this
 * module.
 */
export type Keyring = {
  /**
   * Encrypts `text` (AES-256-GCM, fresh nonce) for one place: organization id, row id, field. A sealed value that is
   * moved to another place can't be opened. Returns printable ASCII, `s1.<key id>.<base64url>`.
   */
  seal(text: string, place: string[]): string;
  /** Decrypts a value from `seal`. Throws UnsealError when the value was changed or moved, or its key is unknown. */
  open(sealed: string, place: string[]): string;
  /**
   * Returns the HMAC-SHA-256 with the organization's own key, base64url without padding: equal values have equal hashes
   * within an organization, but not across organizations.
   */
  keyedHash(orgId: string, value: string | Uint8Array): string;
  /** The prefix of everything sealed with the current key. */
  readonly currentStart: string;
  /** Returns whether the current key sealed a value, not a former one. */
  isCurrent(sealed: string): boolean;
};

export class UnsealError extends Error {
  constructor(reason: string) {
    super(`A sealed value could not be opened: ${reason}.`);
    this.name = 'UnsealError';
  }
}

const version = 's1';
const nonceLength = 12;
const tagLength = 16;

/**
 * Creates the keyring of `secretKey` (ASSAY_SECRET_KEY, at least 32 characters). `previous` are earlier keys, newest
 * first: values sealed with them can still be opened. Identities depend on the hashes and must survive a change of
 * the key, so the root of the hashes is stored in the database (`openKeyring`); without one, the root of the oldest
 * key is used.
 */
export function createKeyring(secretKey: string, previous: string[] = [], hashRoot?: Buffer): Keyring {
  const secrets = [secretKey, ...previous];
  if (secrets.some((secret) => secret.length < 32))
    throw new RangeError('A secret key must have at least 32 characters');
  const keys = new Map(secrets.map((secret) => [secretKeyId(secret), derive(secret, 'sealed values')]));
  const current = secretKeyId(secretKey);
  const currentStart = `${version}.${current}.`;
  return {
    currentStart,
    isCurrent: (sealed) => sealed.startsWith(currentStart),
    ...createKeyedHash(hashRoot ?? hashRootOf(secrets.at(-1)!)),
    seal(text, place) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', keys.get(current)!, nonce).setAAD(encodePlace(place));
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${currentStart}${body.toString('base64url')}`;
    },
    open(sealed, place) {
      const [form, id, encoded, ...rest] = sealed.split('.');
      const body = Buffer.from(encoded ?? '', 'base64url');
      if (form !== version || rest.length > 0 || body.length < nonceLength + tagLength) {
        throw new UnsealError('this version does not support its format');
      }
      const key = keys.get(id ?? '');
      if (!key) throw new UnsealError('it was sealed with another secret key');
      return decrypt(key, body, encodePlace(place));
    },
  };
}

/** Creates the keyed hashes of a root, for a process that neither seals nor opens. */
export function createKeyedHash(hashRoot: Buffer): Pick<Keyring, 'keyedHash'> {
  const hashKeyOf = organizationKeys(hashRoot);
  return { keyedHash: (orgId, value) => createHmac('sha256', hashKeyOf(orgId)).update(value).digest('base64url') };
}

function decrypt(key: Buffer, body: Buffer, place: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAAD(place).setAuthTag(body.subarray(-tagLength));
  try {
    const text = decipher.update(body.subarray(nonceLength, -tagLength));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    throw new UnsealError('it was changed, or belongs to another place');
  }
}

/** Hash keys by organization, each derived once: a scan hashes thousands of values. */
function organizationKeys(hashRoot: Buffer): (orgId: string) => Buffer {
  const derived = new Map<string, Buffer>();
  return (orgId) => {
    const known = derived.get(orgId);
    if (known) return known;
    const key = expand(hashRoot, `keyed hash of ${orgId}`);
    if (derived.size >= 1_000) derived.clear();
    derived.set(orgId, key);
    return key;
  };
}

const derive = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'assay', purpose, 32));

/**
 * Returns the root of a secret key's keyed hashes: the first step of HKDF (RFC 5869), which can't be reversed to the
 * key. `expand` is the second step, for 32 bytes; together they equal `derive`.
 */
export const hashRootOf = (secret: string) => createHmac('sha256', 'assay').update(secret).digest();

const expand = (root: Buffer, purpose: string) => createHmac('sha256', root).update(`${purpose}\x01`).digest();

/** Returns an id for a key that reveals nothing about it. */
export const secretKeyId = (secret: string) => derive(secret, 'key id').subarray(0, 6).toString('hex');

/** Joins the parts, each prefixed by its length, so that ['ab', 'c'] and ['a', 'bc'] are different places. */
const encodePlace = (place: string[]) =>
  Buffer.from(place.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
