import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reverseProxies } from '../harness/reverse-proxies.ts';
import { freePort, Service } from './service.ts';

const used = [reverseProxies.nginx, reverseProxies.HAProxy];

export const hasProxies = used.every(({ command }) => existsSync(command));

/**
 * Returns an nginx and an HAProxy with the shipped files in front of the same nodes, and their addresses. They are not
 * started yet.
 */
export async function createProxies(
  directory: string,
  nodes: number[],
): Promise<{ proxies: Service[]; origins: string[] }> {
  const proxies: Service[] = [];
  const origins: string[] = [];
  for (const { command, write } of used) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const name = command.split('/').at(-1)!;
    const folder = join(directory, name);
    mkdirSync(folder);
    proxies.push(
      new Service({
        name,
        command,
        args: write(folder, { port, nodes, tls: null }),
        options: { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
        // It works even where no node does: then it says so.
        isReady: async () => (await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) })).status > 0,
      }),
    );
    origins.push(origin);
  }
  return { proxies, origins };
}
