import { type CredentialKind, isUnknownKey, wordsOf } from './credential-name.ts';
import { classChanges, entropy } from './entropy.ts';
import type { FileKind } from './file-kind.ts';
import { isPlaceholder } from './placeholders.ts';

/** A value in its context. `name` is the setting's or variable's name. In code, an unquoted value would be a name. */
export type CredentialValue = { value: string; name: string; kind: CredentialKind; file: FileKind; quoted: boolean };

const paths =
  /^(?:~|\.{0,2})\/(?:[\w.@ -]+\/)*[\w.@ -]*$|^[A-Za-z]:[\\/]|^\\\\\w|^(?:\w[\w.-]*\/){2,}[\w.-]*\.\w{1,5}$/;
const files =
  /^[\w./\\~-]+\.(?:pem|key|crt|cer|der|p12|pfx|jks|json|ya?ml|txt|php|js|ts|py|rb|java|go|html?|xml|properties|conf|cfg|ini|env|sh|log|md|gpg|asc|pub|keystore|vue|jsx|tsx|css|png|svg)$/i;
const addresses =
  /^urn:|^\w[\w+.-]*:\/\/|^[\w.+-]+@[\w-]+\.[\w.]+$|^(?:[\w-]+\.)+(?:com|org|net|io|dev|local|internal|svc|gov|edu)(?:[:/]\S*)?$|^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/i;
const publicMaterial =
  /^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2|-----BEGIN|data:|MII[A-Z][A-Za-z0-9+/]{100}|sha(?:1|256|384|512)-)/;
const dates =
  /^\d{4}-\d\d-\d\d|^[~^<>=v]{0,3}\d+\.[\dx*]+(?:\.[\dx*]+)*(?:-[a-z]+\.?\d*)?$|^\d+(?:ms|s|m|h|d|px|em|rem|%)$/i;
/** Names with a hash: `app.3f2a9c81d7e6b504.chunk`, `linux-modules-3f2a9c81d7e6`. */
const hashedName = /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]*[g-z][a-z0-9]*)*[-_.][0-9a-f]{7,64}(?:\.[a-z][a-z0-9]{1,7}){0,2}$/i;
const fileWithHash = /[-_.][0-9a-f]{7,64}(?:\.[a-z][a-z0-9]{1,7}){1,2}$/i;
/** Common values of a plain `key`: UUIDs and object ids of databases. */
const identifiers = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{24}$/i;
/** Names of settings: `app.config.source.password`. */
const settingNames = /^[a-z]+\d{0,3}(?:\.[a-z]+(?:[A-Z-][a-z]+)*\d{0,3}){2,}$/;
const camelCase = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const codeWords =
  /^(?:pass[a-z]*\d{0,4}|pwd|passwd|secrets?|tokens?|keys?|api|auth|authorization|authentication|credentials?|user|username|name|id|access|refresh|client|private|public|login|hash|salt|bearer|basic|header|field|input|type|value|string|url|uri|path|file|x|csrf|xsrf|session|cookie|oauth2?|jwt|db|database|new|old|current|confirm\w*|repeat|app|application|service|account|admin|root|data|my|the|is|in|of|to|for|and|or|not|valid\w*|required|empty|reset|change|update|forgot|error|label|text|title|message|show|hide|encrypt\w*|encoded?|code|verification|verify|web|hook|webhook|google|github|aws|azure|slack|device|server|http|https|function|object|symbol|number|boolean|bigint|level|levels|json|form|get|set|with|grant|implicit|min|max|length|default|config|option|provider|store|manager|id_?token)$/;

/** Returns whether a value is a usable secret, given its context. Never throws. */
export function isCredential(candidate: CredentialValue): boolean {
  const { value, name, kind, file } = candidate;
  if (file === 'ignored' || value.length < 4 || value.length > 2000) return false;
  if (isPlaceholder(value) || echoesName(candidate) || fileWithHash.test(value)) return false;
  if (kind === 'secret' && isUnknownKey(name) && !isLongRandom(value)) return false;
  if (kind === 'secret' && isDashedWords(value)) return false;
  if (publicMaterial.test(value) || addresses.test(value) || files.test(value) || dates.test(value)) return false;
  if (settingNames.test(value)) return false;
  if (paths.test(value) && !(value.length >= 24 && /\d/.test(value) && /[A-Z]/.test(value) && !value.includes('.')))
    return false;
  if (/\\[bdswDSW]|\[[^\]]*\w-\w[^\]]*\]|\(\?[:=!<]/.test(value) && file !== 'configuration') return false;
  if (/[^\x20-\x7e]/.test(value) && !/[\d!-/]/.test(value)) return false;
  // Names of Django migrations, and query strings of addresses.
  if (/^\d{4}_[a-z][a-z0-9_]*$|^\/?\?[\w.-]+=/.test(value)) return false;
  if (/\s/.test(value)) return isPhrase(candidate);
  if (file === 'configuration' || file === 'shell')
    return kind === 'password' ? weakPassword(value) : configuredSecret(candidate);
  if (file === 'document') return documentedSecret(candidate);
  return kind === 'password' ? sourcePassword(value) : sourceSecret(value, name);
}

const isLongRandom = (value: string) =>
  value.length >= 32 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && looksRandom(value);

/**
 * Returns whether the value repeats the name, as in `password=password`, `db_password: "db-password"`, `token:
 * userToken`: documentation, labels, variables.
 */
function echoesName({ value, name, file }: CredentialValue): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const plainValue = plain(value);
  const plainName = plain(name);
  return (
    plainValue === plainName ||
    (plainValue.length >= 4 && plainName.endsWith(plainValue)) ||
    (plainName.length >= 5 &&
      plainValue.endsWith(plainName) &&
      (camelCase.test(value) ||
        (file === 'configuration' || file === 'shell' ? /^[a-z]+[-_][a-z_-]+$/i : /^[a-z_]+$/i).test(value)))
  );
}

/**
 * Passphrases and salts may contain spaces. Any other value with spaces is a sentence, unless most of it is not
 * letters.
 */
function isPhrase({ value, name, file }: CredentialValue): boolean {
  if (file !== 'configuration' && file !== 'shell') return false;
  if (value.split(/\s+/).filter((word) => /^[a-z(),.'-]{2,}$/i.test(word)).length >= 3) return /phrase/i.test(name);
  if (/salt|phrase|secret|key/i.test(name) && entropy(value) > 3.8 && /[^\w\s.,'-]/.test(value) && /\d/.test(value))
    return true;
  if (/pass|pwd/i.test(name) && /^\S+ \S+$/.test(value) && /\d/.test(value) && /[^\w\s.,:'-]/.test(value)) return true;
  return /phrase/i.test(name) ? value.split(/\s+/).length <= 8 && /^[\x20-\x7e]+$/.test(value) : false;
}

/**
 * Documents are full of examples, so a password must mix letters and digits unlike any word, and a key must look
 * random.
 */
function documentedSecret({ value, name, kind }: CredentialValue): boolean {
  if (/^\W*keys?$/i.test(name) || namePart.test(value.toLowerCase().replace(/\W+$/, ''))) return false;
  // A word in which digits stand for letters: `s00pers3cret`.
  if (/^[a-z]+(?:[013457]{1,2}[a-z]+)+$/.test(value) && value.replace(/\D/g, '').length <= value.length / 4)
    return false;
  if (value.length >= 8 && looksRandom(value)) return true;
  return (
    kind === 'password' &&
    value.length >= 7 &&
    /\d/.test(value) &&
    /^[\w!@#$%^&*?+~-]+$/.test(value) &&
    !value.split(/[-_]/).some((part) => namePart.test(part))
  );
}

function weakPassword(value: string): boolean {
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\((?:.*\))?$/.test(value)) return false;
  return /^(?:admin|root|guest|toor|postgres|mysql|oracle)$/i.test(value) || !consistsOfCodeWords(value);
}

/**
 * Accepts keys and tokens in configuration, except plain names, which often refer to other objects (`secret:
 * my-app-tls`).
 */
function configuredSecret({ value, quoted, name }: CredentialValue): boolean {
  if (value.length < 6 || consistsOfCodeWords(value)) return false;
  if (/^\W*keys?$/i.test(name))
    return value.length >= 16 && looksRandom(value) && !identifiers.test(value) && !hashedName.test(value);
  if (/[a-z].*\d|\d.*[a-z]|[a-z].*[A-Z].*[a-z].*[A-Z]/i.test(value) && looksRandom(value)) return true;
  if (/^[a-z][a-z0-9]*(?:[-_./:][a-z0-9]+)+$/i.test(value)) return /\d{3,}/.test(value) && !/[./:]/.test(value);
  if (/^\d+$/.test(value)) return value.length >= 8;
  if (/[\d]/.test(value) && /[a-z]/i.test(value)) return value.length >= 6;
  return (
    value.length >= 8 &&
    /^\S+$/.test(value) &&
    /(?:secret|token|key)/i.test(name) &&
    (quoted || /[^\w]/.test(value) || value.length >= 8)
  );
}

function sourcePassword(value: string): boolean {
  if (
    value.length < 5 ||
    consistsOfCodeWords(value) ||
    /^(?:secret|password|pass|token|key|user|auth|foo|bar)s?\d{0,4}$/i.test(value)
  )
    return false;
  if (/[(){}<>;]|=>|\\[ux]|^[.#@/]|[:.]$/.test(value) && !looksRandom(value)) return false;
  if (/^[\w.]+(?:\[[^\]]*\][\w.]*)+$/.test(value) || namesItself(value)) return false;
  if (/\d/.test(value) && /[a-z]/i.test(value)) return true;
  if (/[A-Za-z]/.test(value) && /[!@#$%^&*?+~]/.test(value.slice(1))) return true;
  return /^[a-z]{5,16}$/.test(value) && !codeWords.test(value);
}

/**
 * Returns whether the value is a name such as `secret-2-levels`: at least three parts, all word-like, one of them a
 * code word.
 */
function namesItself(value: string): boolean {
  const parts = value.split(/[-_]/);
  return parts.length >= 3 && parts.every((part) => namePart.test(part)) && parts.some((part) => codeWords.test(part));
}

/** A key with a specific name may be weak; plain `token` and `key` mean too many other things. */
function sourceSecret(value: string, name: string): boolean {
  if (/^\W*keys?$/i.test(name)) return false;
  if (value.length >= 8 && looksRandom(value)) return true;
  if (value.length < 7 || !/secret|api|access|auth|client|private|crypt|sign|jwt/i.test(name)) return false;
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || !/^[\w!@#$%^&*?+=~-]+$/.test(value)) return false;
  return /^[a-z]{5,}\d{1,2}$/.test(value) || !value.split(/[-_]+/).every((part) => namePart.test(part));
}

/** Returns whether the value is a name, such as `user-password`, `X-Auth-Token`, `accessToken`. */
function consistsOfCodeWords(value: string): boolean {
  if (/[^\w.:/ -]/.test(value)) return false;
  const words = wordsOf(value).filter((word) => !/^\d$/.test(word));
  return words.length > 0 && words.every((word) => codeWords.test(word));
}

const namePart = /^(?:|v?\d{1,3}|[A-Z]?[a-z]{3,}\d{0,3}|[A-Z]{3,}\d{0,3}|[a-z]{1,2}|[A-Z]{1,2})$/;

/** Returns whether the value is a short name of words with dashes, such as `my-app-prod-tls-2024a`. */
const isDashedWords = (value: string): boolean => {
  const parts = value.split('-');
  const words = parts.filter((part) => /^[A-Z]?[a-z]+$/.test(part)).length;
  return value.length < 32 && parts.length >= 3 && words >= 2 && words >= parts.length - 1 && /^[\w-]+$/.test(value);
};

/** Returns whether letters and digits mix in a way that no word or name does. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || !/[a-z]/i.test(value)) return false;
  const digits = value.replace(/\D/g, '').length;
  if (digits === 0) return mixedCaseRandom(value);
  if (/^[a-z]+(?:[-_.:/][a-z]+)*[-_.:/]?v?\d{1,4}$/i.test(value)) return false;
  if (/[-_.:/ ]/.test(value) && value.split(/[-_.:/ ]+/).every((part) => namePart.test(part))) return false;
  if (/^[0-9a-f-]+$/i.test(value)) return entropy(value) >= 2.8;
  return entropy(value) >= 2.9 && (classChanges(value) >= 3 || digits >= 4);
}

/** Without digits, accepts only long tokens with frequent case changes, as in base64. */
function mixedCaseRandom(value: string): boolean {
  if (value.length < 20 || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const words = wordsOf(value);
  return value.length / words.length < 3.2 && entropy(value) >= 3.8;
}
