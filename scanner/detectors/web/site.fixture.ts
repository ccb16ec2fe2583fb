import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetworkPolicy } from '../../platform/egress/network-policy.ts';

const host = 'site.example.com';

/** A policy that resolves the fixture's host to this machine and no other name. */
export const localPolicy = createNetworkPolicy({
  allowed: ['127.0.0.1'],
  resolve: async (name) => {
    if (name !== host) throw new Error('unknown');
    return [{ address: '127.0.0.1', family: 4 }];
  },
});

/** Creates a self-signed certificate with the system's OpenSSL. With `days` below 1 it has already expired. */
export function makeCertificate({
  name = host,
  days = 60,
  key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
}) {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const at = (file: string) => join(directory, file);
  try {
    const openssl = (...commandLine: string[]) => execFileSync('openssl', commandLine, { stdio: 'pipe' });
    openssl(
      'req',
      '-new',
      ...key,
      '-nodes',
      '-keyout',
      at('key.pem'),
      '-out',
      at('request.pem'),
      '-subj',
      `/CN=${name}`,
    );
    writeFileSync(at('extensions'), `subjectAltName=DNS:${name}\n`);
    openssl(
      'x509',
      '-req',
      '-in',
      at('request.pem'),
      '-signkey',
      at('key.pem'),
      '-out',
      at('certificate.pem'),
      '-days',
      String(days),
      '-extfile',
      at('extensions'),
    );
    return { key: readFileSync(at('key.pem')), cert: readFileSync(at('certificate.pem')) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts a server on loopback, with https if `tls` is set. */
export async function serveSite(listener: RequestListener, tls: ServerOptions | null = null) {
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://${host}:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
