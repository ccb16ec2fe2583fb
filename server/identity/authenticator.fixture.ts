import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');
const uint = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** The COSE form of a P-256 key (RFC 9053). */
function coseOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  const bytes = (text: string) => [Buffer.from('5820', 'hex'), Buffer.from(text, 'base64url')];
  return Buffer.concat([
    ...[Buffer.from('a5010203262001', 'hex'), Buffer.from('21', 'hex'), ...bytes(x!)],
    ...[Buffer.from('22', 'hex'), ...bytes(y!)],
  ]);
}

/** A device with one passkey, as specified by WebAuthn: its own key, and `none` attestation. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number, more = Buffer.alloc(0)) =>
    Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(++counter, 4), more]);

  return {
    /** Responds to `navigator.credentials.create()`. `flags` 0x45: present, verified, with a credential. */
    create({ challenge, rp }: { challenge: string; rp: { id: string } }, origin: string, flags = 0x45) {
      const credential = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseOf(publicKey)]);
      const data = authenticatorData(rp.id, flags, credential);
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
      const attestationObject = Buffer.concat([head, Buffer.from([data.length]), data]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, origin)),
          attestationObject: base64url(attestationObject),
          transports: ['internal'],
        },
      };
    },
    /** Responds to `navigator.credentials.get()`. `flags` 0x05: present and verified. */
    get({ challenge, rpId }: { challenge: string; rpId: string }, origin: string, flags = 0x05) {
      const client = clientData('webauthn.get', challenge, origin);
      const data = authenticatorData(rpId, flags);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}
