import { fillIn, type PlaceholderValues } from './placeholders.ts';
import type { ToolDescription } from './tool-description.ts';

/** A port where nothing listens: a tool that should not need the network fails at once. */
const nowhere = 'http://127.0.0.1:9';
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/** Returns a tool's environment: the variables of its description, and the proxy that it must use. */
export function toolEnvironment(
  { environment = {}, network }: ToolDescription,
  values: PlaceholderValues,
  proxyUrl: string | null,
): Record<string, string> {
  const own = Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fillIn(text, values)]));
  const url = network === 'none' ? nowhere : proxyUrl;
  if (network === 'address' || url === null) return own;
  const proxies = Object.fromEntries(proxyVariables.map((name) => [name, url]));
  return { ...proxies, NO_PROXY: '', no_proxy: '', ...own };
}
