import { connect } from 'node:net';

/**
 * `proxy-connect.ts HOST PORT`: joins standard input and output to HOST:PORT through the HTTP proxy in ASSAY_PROXY_URL.
 * OpenSSH (`ProxyCommand`) and git (`core.gitProxy`) speak through it, so that the proxy's policy holds for them as well.
 */
const [host, port] = process.argv.slice(2);
const proxy = new URL(process.env.ASSAY_PROXY_URL ?? '');
const target = `${host?.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
const user = proxy.username && `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
const authorization = user ? `Proxy-Authorization: Basic ${Buffer.from(user).toString('base64')}\r\n` : '';

function fail(message: string): never {
  process.stderr.write(`proxy-connect: ${message}\n`);
  process.exit(1);
}

const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || 80) });
socket.on('error', (error) => fail(error.message));
socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);

let head = Buffer.alloc(0);
socket.on('data', function readHead(chunk: Buffer) {
  head = Buffer.concat([head, chunk]);
  const end = head.indexOf('\r\n\r\n');
  if (end < 0) return head.length > 16_384 ? fail('the proxy did not answer in HTTP') : undefined;
  socket.off('data', readHead);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1];
  if (status !== '200') fail(`CONNECT failed, response ${status}`);
  process.stdout.write(head.subarray(end + 4));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});
socket.on('close', () => process.exit(0));
