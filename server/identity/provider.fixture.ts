import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callbackPath } from './library/single-sign-on.ts';

export type ProviderPerson = { email: string; email_verified: boolean; name: string };

/**
 * Starts a real OpenID provider on loopback with these people: entering a name signs in as that person. It serves
 * once `accept` has set the address of Assay.
 */
export async function startProvider(people: Record<string, ProviderPerson>) {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  const { default: Provider }: any = await import('oidc-provider' as string);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'assay';
  const clientSecret = 's'.repeat(40);
  return {
    issuer,
    clientId,
    clientSecret,
    accept(baseUrl: string): void {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${baseUrl}${callbackPath}`] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: async (_ctx: unknown, id: string) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...people[id] }),
        }),
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['test'] },
      });
      server.on('request', provider.callback());
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
