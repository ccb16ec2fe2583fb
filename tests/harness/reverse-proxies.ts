import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const files = join(import.meta.dirname, '../../deploy/proxies');

/** The name in the shipped files. */
export const proxiedName = 'assay.example.com';

/** Paths of PEM files. */
export type Certificate = { certificate: string; key: string; withKey: string };

/** Creates a self-signed certificate for the proxied name. */
export function makeCertificate(folder: string): Certificate {
  const [certificate, key, withKey] = ['cert.pem', 'key.pem', 'cert-with-key.pem'].map((file) =>
    join(folder, file),
  ) as [string, string, string];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${proxiedName}`, '-addext', `subjectAltName=DNS:${proxiedName}`];
  const written = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...curve, ...names, ...written], { stdio: 'pipe' });
  writeFileSync(withKey, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 });
  return { certificate, key, withKey };
}

/** Returns a shipped file with other values. A missing line is an error. */
function adapted(file: string, replacements: [string, string][]): string {
  let text = readFileSync(join(files, file), 'utf8');
  for (const [from, to] of replacements) {
    assert.ok(text.includes(from), `deploy/proxies/${file} has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Ports of the loopback interface, and the certificate; without one, the proxy serves plain HTTP. */
type ProxyOptions = { port: number; nodes: number[]; tls: Certificate | null };

export type ReverseProxy = {
  command: string;
  /** Writes its configuration into the folder and returns the arguments of its command. */
  write(folder: string, options: ProxyOptions): string[];
};

/** Debian's proxies with the shipped files. */
export const reverseProxies: Record<'nginx' | 'HAProxy' | 'Caddy', ReverseProxy> = {
  nginx: {
    command: '/usr/sbin/nginx',
    write(folder, { port, nodes, tls }) {
      const site = adapted('nginx.conf', [
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port}${tls ? ' ssl http2' : ''};`],
        ['ssl_certificate /etc/ssl/assay.pem;', tls ? `ssl_certificate ${tls.certificate};` : ''],
        ['ssl_certificate_key /etc/ssl/assay.key;', tls ? `ssl_certificate_key ${tls.key};` : ''],
        [
          'server 127.0.0.1:8080 max_fails=1 fail_timeout=2s;',
          nodes.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=2s;`).join('\n  '),
        ],
      ]);
      writeFileSync(join(folder, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log stderr; ${user} events {}
         http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
      );
      return ['-c', join(folder, 'nginx.conf'), '-p', folder];
    },
  },
  HAProxy: {
    command: '/usr/sbin/haproxy',
    write(folder, { port, nodes, tls }) {
      const bind = `bind 127.0.0.1:${port}`;
      const text = adapted('haproxy.cfg', [
        [
          'bind :443 ssl crt /etc/ssl/assay-with-key.pem alpn h2,http/1.1',
          tls ? `${bind} ssl crt ${tls.withKey} alpn h2,http/1.1` : bind,
        ],
        [
          'server one 127.0.0.1:8080',
          nodes.map((node, index) => `server node-${index} 127.0.0.1:${node}`).join('\n  '),
        ],
      ]);
      writeFileSync(join(folder, 'haproxy.cfg'), text);
      return ['-W', '-f', join(folder, 'haproxy.cfg')];
    },
  },
  Caddy: {
    command: '/usr/bin/caddy',
    write(folder, { port, nodes, tls }) {
      const address = `${tls ? 'https' : 'http'}://${proxiedName}:${port}`;
      const text = adapted('Caddyfile', [
        [`${proxiedName} {`, `${address} {\n\tbind 127.0.0.1${tls ? `\n\ttls ${tls.certificate} ${tls.key}` : ''}`],
        ['reverse_proxy 127.0.0.1:8080', `reverse_proxy ${nodes.map((node) => `127.0.0.1:${node}`).join(' ')}`],
      ]);
      // The redirect from HTTP would need port 80.
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
};
