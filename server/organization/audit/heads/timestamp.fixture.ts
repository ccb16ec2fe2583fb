import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBER, Integer, Sequence } from 'asn1js';
import { SignedData, TimeStampResp } from 'pkijs';

const configuration = (at: (name: string) => string) => `
[ tsa ]
default_tsa = authority
[ authority ]
serial = ${at('serial')}
crypto_device = builtin
signer_cert = ${at('tsa.pem')}
certs = ${at('ca.pem')}
signer_key = ${at('tsa.key')}
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** An RFC 3161 authority run by OpenSSL, with a certificate from its own CA. */
export type TimestampAuthority = {
  /** The CA's certificate as PEM, and its file. */
  ca: string;
  caFile: string;
  reply(request: Buffer): Buffer;
  /** Returns a response signed with another certificate of the same CA, for this usage. */
  replyAs(usage: string, request: Buffer): Buffer;
  /** Verifies a response to the text with OpenSSL. Throws if OpenSSL refuses it. */
  verify(response: Buffer, text: string): void;
  remove(): void;
};

export function createTimestampAuthority(): TimestampAuthority {
  const directory = mkdtempSync(join(tmpdir(), 'timestamps-'));
  const at = (name: string) => join(directory, name);
  const openssl = (...commandLine: string[]) => execFileSync('openssl', commandLine, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const request = (name: string, ...more: string[]) =>
    openssl('req', ...key, '-keyout', at(`${name}.key`), '-subj', `/CN=${name}`, ...more);
  request('ca', '-x509', '-days', '30', '-out', at('ca.pem'));
  const issue = (name: string, usage: string) => {
    request(name, '-new', '-out', at(`${name}.csr`));
    writeFileSync(at('extensions'), `extendedKeyUsage=${usage}\nkeyUsage=critical,digitalSignature\n`);
    const issued = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '30'];
    const certificate = ['-extfile', at('extensions'), '-out', at(`${name}.pem`)];
    openssl('x509', '-req', '-in', at(`${name}.csr`), ...issued, ...certificate);
  };
  issue('tsa', 'critical,timeStamping');
  writeFileSync(at('openssl.cnf'), configuration(at));
  writeFileSync(at('serial'), '01\n');
  const reply = (query: Buffer) => {
    writeFileSync(at('query'), query);
    openssl('ts', '-reply', '-config', at('openssl.cnf'), '-queryfile', at('query'), '-out', at('response'));
    return readFileSync(at('response'));
  };
  return {
    ca: readFileSync(at('ca.pem'), 'utf8'),
    caFile: at('ca.pem'),
    reply,
    replyAs(usage, query) {
      issue('other', usage);
      const { timeStampToken } = TimeStampResp.fromBER(new Uint8Array(reply(query)));
      const { encapContentInfo } = new SignedData({ schema: timeStampToken!.content });
      writeFileSync(at('info'), Buffer.from(encapContentInfo.eContent!.getValue()));
      const signer = ['-signer', at('other.pem'), '-inkey', at('other.key'), '-outform', 'DER', '-out', at('token')];
      const content = ['-in', at('info'), '-binary', '-nodetach', '-econtent_type', '1.2.840.113549.1.9.16.1.4'];
      openssl('cms', '-sign', ...content, ...signer);
      const status = new Sequence({ value: [new Integer({ value: 0 })] });
      const token = fromBER(new Uint8Array(readFileSync(at('token')))).result;
      return Buffer.from(new Sequence({ value: [status, token] }).toBER());
    },
    verify(response, text) {
      writeFileSync(at('response'), response);
      writeFileSync(at('text'), text);
      openssl('ts', '-verify', '-data', at('text'), '-in', at('response'), '-CAfile', at('ca.pem'));
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Serves an authority over HTTP on loopback; `reply` returns the response to each request. */
export async function serveTimestamps(reply: (request: Buffer) => Buffer) {
  const server = createServer(async (request, response) => {
    const query = await buffer(request);
    const isQuery = request.method === 'POST' && request.headers['content-type'] === 'application/timestamp-query';
    response.writeHead(isQuery ? 200 : 400, { 'content-type': 'application/timestamp-reply' });
    response.end(isQuery ? reply(query) : undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
