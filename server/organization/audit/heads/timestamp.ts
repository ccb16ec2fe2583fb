import { createHash, randomBytes } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  type ContentInfo,
  type ExtKeyUsage,
  id_ContentType_SignedData,
  id_ExtKeyUsage,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

/** A token that does not prove what it should. The message has the reason. */
export class TimestampRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TimestampRefused';
  }
}

const timeStampingUsage = '1.3.6.1.5.5.7.3.8';
const granted = [0, 1];

/** Reads the certificates of a PEM file. Throws an error with a sentence for the operator if there are none. */
export function readCertificates(pem: string): Certificate[] {
  const blocks = [...pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/g)];
  if (blocks.length === 0) throw new Error('The file has no certificate in PEM.');
  return blocks.map(([, base64]) => Certificate.fromBER(Buffer.from(base64!, 'base64')));
}

/** Creates a request (RFC 3161) for a timestamp of the SHA-256 of `text`, whose response must repeat the nonce. */
export function createTimestampRequest(text: string): { request: Buffer; nonce: Buffer } {
  // A positive number without a leading zero: the authority repeats the same bytes.
  const nonce = randomBytes(16);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256 }),
      hashedMessage: new OctetString({ valueHex: createHash('sha256').update(text).digest() }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  return { request: Buffer.from(request.toSchema().toBER()), nonce };
}

/** Checks the response to a request. Throws TimestampRefused. */
export async function checkTimestampResponse(
  response: Uint8Array,
  { text, nonce, trusted }: { text: string; nonce: Buffer; trusted: Certificate[] },
): Promise<void> {
  const { nonce: given } = await verify(response, text, trusted);
  if (!given?.equals(nonce)) throw new TimestampRefused('The timestamp is not for this request: its nonce is another.');
}

/**
 * Checks that an authority has signed that `text` existed at the returned time. Its certificate must be for timestamps,
 * issued by one of `trusted`, and all certificates must have been valid at that time. Throws TimestampRefused.
 */
export async function verifyTimestamp(response: Uint8Array, text: string, trusted: Certificate[]): Promise<Date> {
  return (await verify(response, text, trusted)).time;
}

async function verify(response: Uint8Array, text: string, trusted: Certificate[]) {
  const { signedData, info } = parseResponse(response);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const digest = createHash('sha256').update(text).digest();
  if (hashAlgorithm.algorithmId !== id_sha256 || !digest.equals(hashedMessage.valueBlock.valueHexView)) {
    throw new TimestampRefused('The timestamp is of something else.');
  }
  const parameters = { signer: 0, data: new TextEncoder().encode(text).buffer, trustedCerts: trusted };
  const result = await signedData
    .verify({ ...parameters, checkChain: true, passedWhenNotRevValues: true, extendedMode: true })
    .catch((cause: Error) => {
      throw new TimestampRefused(`The timestamp can't be trusted. ${cause.message}`, cause);
    });
  if (result.signatureVerified !== true) throw new TimestampRefused('The signature of the timestamp is wrong.');
  if (!isForTimestamps(result.signerCertificate)) {
    throw new TimestampRefused('The certificate of the signer is not one for timestamps.');
  }
  return { time: info.genTime, nonce: info.nonce && Buffer.from(info.nonce.valueBlock.valueHexView) };
}

/** Returns the token of a response. pkijs compares imprints only if the content is marked as a timestamp. */
function parseResponse(response: Uint8Array): { signedData: SignedData; info: TSTInfo } {
  const token = tokenOf(response);
  try {
    if (token.contentType !== id_ContentType_SignedData) throw new Error('It is not signed.');
    const signedData = new SignedData({ schema: token.content });
    const { eContentType, eContent } = signedData.encapContentInfo;
    if (eContentType !== id_eContentType_TSTInfo || !eContent) throw new Error('It has no time.');
    if (signedData.signerInfos.length !== 1) throw new Error('It must have one signer.');
    return { signedData, info: TSTInfo.fromBER(eContent.getValue()) };
  } catch (cause) {
    throw new TimestampRefused('The response has no token of RFC 3161.', cause);
  }
}

function tokenOf(response: Uint8Array): ContentInfo {
  let parsed: TimeStampResp;
  try {
    parsed = TimeStampResp.fromBER(new Uint8Array(response));
  } catch (cause) {
    throw new TimestampRefused('The response is not one of RFC 3161.', cause);
  }
  const { status, timeStampToken } = parsed;
  if (!granted.includes(status.status) || !timeStampToken) {
    const reason = status.statusStrings?.map(({ valueBlock }) => valueBlock.value).join(' ');
    throw new TimestampRefused(`The authority refused: status ${status.status}${reason ? `, ${reason}` : ''}.`);
  }
  return timeStampToken;
}

/** RFC 3161: the only usage of the key, and critical, so that no other certificate of the same issuer signs times. */
function isForTimestamps(certificate: Certificate | null | undefined): boolean {
  const usage = certificate?.extensions?.find(({ extnID }) => extnID === id_ExtKeyUsage);
  const { keyPurposes } = (usage?.parsedValue ?? {}) as Partial<ExtKeyUsage>;
  return usage?.critical === true && keyPurposes?.length === 1 && keyPurposes[0] === timeStampingUsage;
}
