import { Content } from './content.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** Returns a file as a stream once its first bytes have arrived. */
export async function download(
  transport: Transport,
  path: string[],
  query: object,
  options?: RequestOptions,
): Promise<Content> {
  const spec = { method: 'GET', path, query, accept: '*/*' } as const;
  const { data } = await transport.send(spec, options, async (response, attempt) => {
    attempt.stopClock();
    return new Content(response.headers, attempt.chunks(response));
  });
  return data;
}
