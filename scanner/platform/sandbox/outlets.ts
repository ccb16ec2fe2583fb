import { chmod } from 'node:fs/promises';
import { connect, createServer, type Server, Socket } from 'node:net';
import { join } from 'node:path';

/** A server that one of our confined processes may connect to: a port of a host, or a socket on this machine. */
export type Outlet = { host: string; port: number } | { path: string };

/**
 * The sockets through which a confined process connects to its outlets, by the address that it would otherwise connect
 * to.
 */
export type OutletSockets = Record<string, string>;

const addressOf = (outlet: Outlet): string => ('path' in outlet ? outlet.path : `${outlet.host}:${outlet.port}`);

/**
 * Opens a socket in `directory` for each outlet, the only kind of address that a process without a network can connect
 * to. Bytes are forwarded unread: encryption and the check of the server's certificate are end to end.
 */
export async function openOutlets(
  outlets: readonly Outlet[],
  directory: string,
): Promise<{ sockets: OutletSockets; close(): void }> {
  const servers: Server[] = [];
  const open = new Set<Socket>();
  const sockets: OutletSockets = {};
  for (const [index, outlet] of outlets.entries()) {
    const path = join(directory, `outlet-${index}`);
    const server = createServer({ allowHalfOpen: true }, (inside) => {
      joinSockets(inside, connect({ ...outlet, allowHalfOpen: true }), open);
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
    await chmod(path, 0o600);
    servers.push(server);
    sockets[addressOf(outlet)] = path;
  }
  const close = () => {
    for (const server of servers) server.close();
    for (const socket of open) socket.destroy();
  };
  return { sockets, close };
}

/** Forwards the bytes of two sockets to each other until both are closed. `open` contains the open ones. */
export function joinSockets(inside: Socket, outside: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  }
}

/** Returns the address in the arguments of `Socket.connect`, in any of its forms. */
function addressIn(first: unknown, second: unknown): string {
  if (Array.isArray(first)) return addressIn(first[0], undefined);
  if (typeof first === 'object' && first !== null) {
    const { path, host, port } = first as { path?: string; host?: string; port?: number | string };
    return path ?? `${host ?? 'localhost'}:${port}`;
  }
  const isPath = typeof first === 'string' && !/^\d+$/.test(first);
  return isPath ? first : `${typeof second === 'string' ? second : 'localhost'}:${first}`;
}

/**
 * Redirects every later connection of this process to the sockets of its outlets, so that libraries need no changes.
 * Connections to other addresses fail, as they would anyway.
 */
export function connectOverOutlets(sockets: OutletSockets): void {
  const original = Socket.prototype.connect as (...given: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const address = addressIn(given[0], given[1]);
    const path = sockets[address] ?? (Object.values(sockets).includes(address) ? address : undefined);
    if (path === undefined) return original.apply(this, given);
    const ready = Array.isArray(given[0]) ? given[0][1] : given.at(-1);
    return original.call(this, { path }, ...(typeof ready === 'function' ? [ready] : []));
  } as typeof Socket.prototype.connect;
}
