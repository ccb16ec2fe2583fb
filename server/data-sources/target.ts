import { invalid } from '../platform/errors.ts';

/** The place of a data source, in the form in which it is stored, compared and connected to. */
export type Target = {
  /** The `config` that the API returns, without the credential. */
  config: Record<string, string | null>;
  /** The address that identifies a data source within its kind; null if there is none. */
  address: string | null;
  /** The host to connect to, for the network policy; null if there is none. */
  endpoint: { host: string; port?: number } | null;
  /** The default name; null if it can't be derived. */
  suggestedName: string | null;
};

/** The maximum length of an address. Normal forms are checked again, since encoding makes them longer. */
export const maxAddressLength = 2_000;

/** Refuses text that no address contains, before any parser reads it. Throws the 400 for `field`. */
export function requirePlainText(field: string, text: string): void {
  if (text.length > maxAddressLength) throw invalid('body', field, `must have at most ${maxAddressLength} characters`);
  if (/[\s\x00-\x20\x7f]/.test(text)) throw invalid('body', field, 'must not contain spaces or control characters');
}
