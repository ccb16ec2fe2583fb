import { isIP } from 'node:net';
import type { AuditHeadsConfig } from '../organization/audit/heads/channels.ts';
import type { TimeOfDay } from '../platform/backup/backup-settings.ts';
import type { Cell } from '../platform/postgres/cells/cell-database.ts';
import { homeCell } from '../platform/postgres/cells/cell-name.ts';

/** Parsers of settings: each parses a text, or throws a sentence that says what is accepted. */

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

const isCellName = (text: string) => /^[a-z][a-z0-9_]{0,30}$/.test(text) && text !== homeCell;

/** Pairs of a name and a URL. The message never repeats a URL, which may contain a password. */
export const cells =
  (parseUrl: (text: string) => string) =>
  (text: string): Cell[] => {
    const pairs = list(text).map((item): Cell => {
      const [name = '', ...rest] = item.split('=');
      if (!isCellName(name) || rest.length === 0)
        fail(
          `must be pairs such as eu=postgresql://user:password@host:5432/assay, separated by commas. A name has lower-case letters, digits and underscores, and is not "${homeCell}".`,
        );
      return { name, url: parseUrl(rest.join('=')) };
    });
    const twice = pairs.find(({ name }, index) => pairs.findIndex((pair) => pair.name === name) < index);
    return twice ? fail(`must not contain the cell ${twice.name} twice.`) : pairs;
  };

/** Plain http is only for a provider on this machine: over a network, anyone in between could sign in as anyone. */
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

const isHostName = (text: string) =>
  text.length <= 253 &&
  /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text);

export function isTarget(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const family = isIP(address);
  if (bits === undefined) return family !== 0 || (isHostName(text) && !/^[\d.]+$/.test(text));
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

function isOrigin(text: string): boolean {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.origin === text;
}

export const address = (text: string) =>
  isIP(text) || isHostName(text) ? text : fail('must be an IP address or a host name.');

export const hostNames = (text: string) =>
  listOf(isHostName, 'a host name such as assay.internal, without a port')(text);

/** Domains of email addresses, in lower case. */
export const domains = (text: string) =>
  listOf(
    (item) => isHostName(item) && !item.startsWith('*'),
    'a domain such as example.com',
  )(text).map((domain) => domain.toLowerCase());

export const origins = listOf(isOrigin, 'an origin such as https://console.example.com, without a path');

export const proxies = listOf(
  (item) => isTarget(item) && isIP(item.split('/')[0]!) !== 0,
  'an address or a CIDR such as 10.0.0.0/8',
);

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
  <const T extends string>(values: readonly T[]) =>
  (text: string): T =>
    values.find((value) => value === text) ?? fail(`must be one of ${values.join(', ')}, not "${text}".`);

/** The message never repeats the key. */
export const secretKey = (text: string) =>
  text.length >= 32 ? text : fail('must have at least 32 characters; "openssl rand -base64 32" makes a good one.');

/** Checks only the form. The checksum is verified when a token is created. */
export const token = (text: string) =>
  /^asy_[0-9A-Za-z]{40}$/.test(text)
    ? text
    : fail('must have the form of an API token: "asy_" and 40 letters and digits.');

export const bearerToken = (text: string) =>
  /^[\x21-\x7e]{16,1000}$/.test(text) ? text : fail('must have at least 16 characters, without blanks.');

export function timeOfDay(text: string): TimeOfDay {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? { hour: Number(match[1]), minute: Number(match[2]) } : fail('must be a time in UTC such as 02:30.');
}

const syslogPorts = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 };

export function syslogAddress(text: string): NonNullable<AuditHeadsConfig['syslog']> {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const port = syslogPorts[parsed?.protocol as keyof typeof syslogPorts];
  const isPlain =
    parsed?.username === '' && /^\/?$/.test(parsed.pathname) && parsed.search === '' && parsed.hash === '';
  if (!parsed || port === undefined || parsed.hostname === '' || !isPlain) {
    return fail('must be an address such as tls://logs.example.com:6514, with udp, tcp or tls.');
  }
  const transport = parsed.protocol.slice(0, -1) as 'udp' | 'tcp' | 'tls';
  return { transport, host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(parsed.port) || port };
}

export const tracesProtocol = (text: string) =>
  text === 'http/protobuf' || text === 'http/json'
    ? text
    : fail('must be http/protobuf or http/json: spans are sent over HTTP.');

export const ratio = (text: string) =>
  /^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : fail('must be a number from 0 to 1.');
