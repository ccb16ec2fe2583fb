import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';

/** What a receiver got, in the order of arrival. */
type Receiver<Message> = { port: number; messages: Message[]; [Symbol.asyncDispose](): Promise<void> };

async function listen<Message>(server: Server, messages: Message[]): Promise<Receiver<Message>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Receives the frames of syslog over TCP, or over TLS with a certificate. */
export function receiveSyslog(tls: { key: Buffer; cert: Buffer } | null): Promise<Receiver<string>> {
  const messages: string[] = [];
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {});
    text(socket).then(
      (frame) => {
        const [, length, message] = /^(\d+) (.*)$/s.exec(frame) ?? [];
        if (Number(length) === Buffer.byteLength(message ?? '')) messages.push(message!);
      },
      () => {},
    );
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  server.on('tlsClientError', () => {});
  return listen(server, messages);
}

export async function receiveDatagrams(): Promise<Receiver<string>> {
  const socket = createSocket('udp4');
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    messages,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

type Call = { headers: IncomingHttpHeaders; body: Record<string, unknown> };

/** Receives a webhook's calls. `status` returns the status of each response. */
export function receiveWebhooks(status: () => number): Promise<Receiver<Call>> {
  const messages: Call[] = [];
  const server = createHttpServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const code = status();
    if (code < 300) messages.push({ headers: request.headers, body });
    response.writeHead(code, { connection: 'close' }).end('received');
  });
  return listen(server, messages);
}
