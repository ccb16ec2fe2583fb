import { isIP } from 'node:net';

/** Reads one variable. Errors of `parse` become sentences in `errors`. An empty value counts as not set. */
export type Read = <T>(name: string, fallback: T, parse: (text: string) => T) => T;

/** Parsers of settings: each reads a text, or throws a sentence that says what is accepted. */

export function fail(sentence: string): never {
  throw new Error(sentence);
}

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : fail(`must be a whole number from ${min} to ${max}, not "${text}".`);
};

/** The message never repeats the value: a URL may contain a password. */
export const url = (protocols: string[], example: string) => (text: string) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  return parsed && protocols.includes(parsed.protocol) ? text : fail(`must be an address such as ${example}.`);
};

/** Plain http is for a provider on this machine only: over a network, anybody on the way could sign in as anybody. */
export const issuerUrl = (text: string) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const isHere = parsed?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  return parsed?.protocol === 'https:' || isHere ? text : fail('must be an address such as https://login.example.com.');
};

export const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const listOf = (accepts: (item: string) => boolean, expectation: string) => (text: string) => {
  const wrong = list(text).filter((item) => !accepts(item));
  return wrong.length === 0
    ? list(text)
    : fail(`${wrong.map((item) => `"${item}"`).join(', ')} must be ${expectation}.`);
};

export const isHostName = (text: string) =>
  text.length <= 253 &&
  /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text);

export function isTarget(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const family = isIP(address);
  if (bits === undefined) return family !== 0 || (isHostName(text) && !/^[\d.]+$/.test(text));
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

export function isOrigin(text: string): boolean {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.origin === text;
}

const isEmail = (text: string) => /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,253}$/.test(text);
export const email = (text: string) =>
  isEmail(text) ? text : fail('must be an email address, such as name@example.com.');

/** `address` or `Name <address>`. */
export function sender(text: string): string {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return isEmail(address) ? text : fail('must be an email address or "Name <address>".');
}

export const password = (text: string) =>
  text.length >= 12 && text.length <= 128 ? text : fail('must have 12 to 128 characters.');

export const organization = (text: string) => (text.length <= 200 ? text : fail('must have at most 200 characters.'));

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T =>
    values.find((value) => value === text) ?? fail(`must be one of ${values.join(', ')}, not "${text}".`);

/** The message never repeats the key. */
export const secretKey = (text: string) =>
  text.length >= 32 ? text : fail('must have at least 32 characters; "openssl rand -base64 32" makes a good one.');

/** Checks only the form. The checksum is verified where tokens are created. */
export const token = (text: string) =>
  /^asy_[0-9A-Za-z]{40}$/.test(text)
    ? text
    : fail('must have the form of an API token: "asy_" and 40 letters and digits.');

/** Returns a reader of settings that collects what is wrong with them. */
export function reader(env: Record<string, string | undefined>, errors: string[]): Read {
  return (name, fallback, parse) => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      errors.push(`${name}: ${(error as Error).message}`);
      return fallback;
    }
  };
}
