#!/usr/bin/env node
// Joins its standard input and output to HOST PORT through the egress proxy in ASSAY_EGRESS_PROXY
// (http://user:password@host:port). For ssh: ProxyCommand "node connect-through-proxy.mjs %h %p"; for git:
// core.gitProxy. Plain JavaScript without local imports, since other programs start it with the Node.js on their
// path.
import { connect } from 'node:net';

const [, , host, port] = process.argv;
const proxy = URL.canParse(process.env.ASSAY_EGRESS_PROXY ?? '') ? new URL(process.env.ASSAY_EGRESS_PROXY) : null;

function fail(message) {
  process.stderr.write(`assay: ${message}\n`);
  process.exit(1);
}

if (!host || !/^\d{1,5}$/.test(port ?? '')) fail('usage: connect-through-proxy.mjs HOST PORT');
if (!proxy) fail('ASSAY_EGRESS_PROXY is not the address of a proxy');

const target = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
if (/[\s/@]/.test(target)) fail('the host is not a host name or address');
const credential = Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString(
  'base64',
);
const socket = connect({ host: proxy.hostname, port: Number(proxy.port), allowHalfOpen: true });
socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${credential}\r\n\r\n`);
socket.on('error', (error) => fail(`the connection failed (${error.code ?? error.message})`));

let response = Buffer.alloc(0);
socket.on('data', function onData(chunk) {
  response = Buffer.concat([response, chunk]);
  const end = response.indexOf('\r\n\r\n');
  if (end < 0 && response.length < 65_536) return;
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(response.toString('latin1'))?.[1]);
  if (status !== 200)
    return void socket.once('end', () =>
      fail(
        response
          .subarray(end + 4)
          .toString()
          .trim() || `the proxy responded with ${status}`,
      ),
    );
  socket.off('data', onData);
  process.stdout.write(response.subarray(end + 4));
  socket.pipe(process.stdout);
  process.stdin.pipe(socket);
  // The client is done when the other side is. The process exits by itself after standard output is flushed.
  socket.once('end', () => {
    process.stdin.destroy();
    socket.end();
  });
});
socket.once('end', () => {
  if (!response.includes('\r\n\r\n')) fail('the proxy closed the connection');
});
process.stdout.on('error', () => process.exit(0));
