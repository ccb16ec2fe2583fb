import type { ChildProcess } from 'node:child_process';
import { connect, type Server, type Socket } from 'node:net';
import { joinSockets } from './outlets.ts';

/**
 * Serves the port of the egress proxy inside a confined program's network, which has no other way out. The program's
 * command starts with bridge-process.mjs, which opens the port inside that network and sends the socket here: a socket
 * stays in the network in which it was opened. The bridge closes when the program has ended.
 */
export function bridgeToProxy(child: ChildProcess, port: number): void {
  const open = new Set<Socket>();
  child.once('message', (_, handle) => {
    // A program may send its last byte before it has read everything.
    const server = Object.assign(handle as Server, { allowHalfOpen: true });
    server.on('error', () => {});
    server.on('connection', (inside: Socket) =>
      joinSockets(inside, connect({ host: '127.0.0.1', port, allowHalfOpen: true }), open),
    );
    const close = () => {
      server.close();
      for (const socket of open) socket.destroy();
    };
    if (child.exitCode !== null || child.signalCode !== null) close();
    else child.once('exit', close).send('go', () => {});
  });
}
