import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Cipher suites by IANA number that our own TLS library can't or won't offer, grouped by their weakness.
 */
const broken: Record<number, string> = {
  1: 'TLS_RSA_WITH_NULL_MD5',
  2: 'TLS_RSA_WITH_NULL_SHA',
  59: 'TLS_RSA_WITH_NULL_SHA256',
  49158: 'TLS_ECDHE_ECDSA_WITH_NULL_SHA',
  49168: 'TLS_ECDHE_RSA_WITH_NULL_SHA',
  3: 'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
  6: 'TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5',
  8: 'TLS_RSA_EXPORT_WITH_DES40_CBC_SHA',
  20: 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA',
  4: 'TLS_RSA_WITH_RC4_128_MD5',
  5: 'TLS_RSA_WITH_RC4_128_SHA',
  49159: 'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  49169: 'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  9: 'TLS_RSA_WITH_DES_CBC_SHA',
  21: 'TLS_DHE_RSA_WITH_DES_CBC_SHA',
  10: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  22: 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA',
  49160: 'TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA',
  49170: 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  24: 'TLS_DH_anon_WITH_RC4_128_MD5',
  27: 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA',
  52: 'TLS_DH_anon_WITH_AES_128_CBC_SHA',
  58: 'TLS_DH_anon_WITH_AES_256_CBC_SHA',
  108: 'TLS_DH_anon_WITH_AES_128_CBC_SHA256',
  166: 'TLS_DH_anon_WITH_AES_128_GCM_SHA256',
  167: 'TLS_DH_anon_WITH_AES_256_GCM_SHA384',
  49173: 'TLS_ECDH_anon_WITH_NULL_SHA',
  49174: 'TLS_ECDH_anon_WITH_RC4_128_SHA',
  49176: 'TLS_ECDH_anon_WITH_AES_128_CBC_SHA',
  49177: 'TLS_ECDH_anon_WITH_AES_256_CBC_SHA',
};

const withoutForwardSecrecy: Record<number, string> = {
  47: 'TLS_RSA_WITH_AES_128_CBC_SHA',
  53: 'TLS_RSA_WITH_AES_256_CBC_SHA',
  60: 'TLS_RSA_WITH_AES_128_CBC_SHA256',
  61: 'TLS_RSA_WITH_AES_256_CBC_SHA256',
  156: 'TLS_RSA_WITH_AES_128_GCM_SHA256',
  157: 'TLS_RSA_WITH_AES_256_GCM_SHA384',
};

export const cipherSuites = { broken, withoutForwardSecrecy };

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const counted = (content: Buffer) => Buffer.concat([u16(content.length), content]);
const extension = (type: number, content: Buffer) => Buffer.concat([u16(type), counted(content)]);
const list = (...values: number[]) => counted(Buffer.concat(values.map(u16)));

/** Returns a TLS 1.2 ClientHello (RFC 5246, section 7.4.1.2) that offers these suites and no others. */
export function clientHello(host: string, suites: number[]): Buffer {
  const name = Buffer.from(host, 'ascii');
  const extensions = [
    // Server name, curves (X25519, P-256, P-384, P-521), point formats, signature algorithms down to SHA-1.
    ...(isIP(host) === 0 ? [extension(0, counted(Buffer.concat([Buffer.from([0]), counted(name)])))] : []),
    extension(10, list(29, 23, 24, 25)),
    extension(11, Buffer.from([1, 0])),
    extension(13, list(0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0203, 0x0201)),
  ];
  const body = Buffer.concat([
    u16(0x0303),
    randomBytes(32),
    Buffer.from([0]),
    list(...suites),
    Buffer.from([1, 0]),
    counted(Buffer.concat(extensions)),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), counted(body)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), counted(message)]);
}

/**
 * Reads the server's first record: returns the number of the suite that it chose, null when it refused (an alert or no
 * TLS), undefined when more bytes are needed.
 */
export function readChosenSuite(received: Buffer): number | null | undefined {
  if (received.length > 0 && received[0] !== 22) return null;
  // Record header 5, handshake header 4, version 2, random 32, then a session id with its length.
  if (received.length < 44) return undefined;
  if (received[5] !== 2) return null;
  const at = 44 + received[43]!;
  return received.length < at + 2 ? undefined : received.readUInt16BE(at);
}
