import { type CredentialKind, credentialKind } from '../credential-name.ts';
import { isCredential, looksRandom } from '../credential-value.ts';
import { fileKind, isCode } from '../file-kind.ts';
import type { SecretCandidate } from '../rule.ts';

/**
 * The parts of an assignment: the text before the name on its line, the name, the text between name and value, and the
 * text after it.
 */
export type Assignment = {
  before: string;
  name: string;
  joint: string;
  value: string;
  after: string;
  quoted: boolean;
  /** Whether the match is in a reference to an entry of a secret or a configuration, whose key is a name. */
  isReference: boolean;
};

/** The start of a reference in Kubernetes, External Secrets and Terraform, before its `key`. */
const reference =
  /\b(?:configMapKeyRef|secretKeyRef|remoteRef|config_map_key_ref|secret_key_ref)["']?\s*[:=]?\s*\{?\s*(?:["']?(?:name|namespace|optional|version|property)["']?\s*[:=][^\n,}]*[\n,]\s*){0,4}["']?$/;

const maxName = 64;
const maxContext = 240;

/** Reads the context of a candidate whose match starts inside the name, at the keyword. */
export function readAssignment({ text, matchStart, start, end, secret }: SecretCandidate): Assignment {
  let nameStart = matchStart;
  while (nameStart > 0 && matchStart - nameStart < maxName && /[\w.$-]/.test(text[nameStart - 1]!)) nameStart -= 1;
  let nameEnd = matchStart;
  while (nameEnd < start && /[\w.-]/.test(text[nameEnd]!)) nameEnd += 1;
  const head = text.slice(Math.max(0, nameStart - maxContext), nameStart);
  const tail = text.slice(end, end + maxContext);
  const lineEnd = tail.search(/[\r\n]/);
  return {
    before: head.slice(head.lastIndexOf('\n') + 1),
    name: text.slice(nameStart, nameEnd),
    joint: text.slice(nameEnd, start),
    value: withoutEscapes(secret),
    after: lineEnd === -1 ? tail : tail.slice(0, lineEnd),
    quoted: /["'`>]/.test(text[start - 1] ?? '') && /["'`<\\]/.test(text[end] ?? ''),
    isReference: reference.test(head),
  };
}

const withoutEscapes = (value: string): string =>
  value.includes('\\')
    ? value.replace(/\\(["'\\/$])/g, '$1')
    : value.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

/** Decodes a base64 value, whose content decides: a Kubernetes Secret with `changeme` does not count. */
export function decodedText(value: string): string | null {
  if (value.length < 8 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  const decoded = Buffer.from(value, 'base64').toString('latin1').trim();
  return decoded.length >= 4 && /^[\x20-\x7e]+$/.test(decoded) ? decoded : null;
}

/** The test that all forms of assignment share; each form adds its own. */
export function isAssigned(kind: CredentialKind, assignment: Assignment, path: string): boolean {
  if (credentialKind(assignment.name) !== kind) return false;
  const { value, name, quoted } = assignment;
  const file = fileKind(path);
  if (name === 'key' && assignment.isReference) return false;
  if (isDirective(assignment) || isAttribute(assignment) || isOwnUser(assignment)) return false;
  if (!isCredential({ value, name, kind, file, quoted })) return false;
  const decoded = decodedText(value);
  return decoded === null || isCredential({ value: decoded, name, kind: 'password', file: 'configuration', quoted });
}

/** Directives of nginx that pass a request on: `uwsgi_pass django;`. */
const isDirective = ({ name, joint }: Assignment): boolean =>
  /^(?:proxy|uwsgi|fastcgi|scgi|grpc|memcached)_pass$/.test(name) && /^\s+$/.test(joint);

/** The name is the value of an attribute, and the value that of the next: `<pre id="api-key" class="wide">`. */
const isAttribute = ({ before, joint }: Assignment): boolean =>
  /<[\w-]+[^<>]*\s(?:id|class|for)=["'][^"']*$/.test(before) && /^["']\s+[\w-]+=["']$/.test(joint);

/** Returns whether a password is the same word as the user on its line: that of a test's or a pipeline's own database. */
function isOwnUser({ before, name, value }: Assignment): boolean {
  const [, user] =
    /user(?:_?name)?["']?\s*(?:=>|[:=,])\s*["']([\w-]{1,40})["'][^"'\n]{0,20}["':]{0,2}$/i.exec(before) ?? [];
  return user === value && /pass|pwd/i.test(name);
}

/**
 * Accepts quoted text, in every kind of file but ignored ones. After a comma or a bracket, it may be any argument, so
 * it must look like a credential.
 */
export function acceptQuoted(kind: CredentialKind, candidate: SecretCandidate): boolean {
  const assignment = readAssignment(candidate);
  if (isPasswordField(assignment) || !isAssigned(kind, assignment, candidate.path)) return false;
  if (/^[^=:]*[,(]\s*[\w@$]{0,2}["'`\\]/.test(assignment.joint)) return acceptArgument(assignment);
  // The value continues in `"token": "abc" + x` and `'password=' . $x`.
  return !/^["'`]\s*(?:\+|\.(?!\w)|%)\s*[\w$("']/.test(assignment.after) || looksRandom(assignment.value);
}

function acceptArgument({ before, name, joint, value }: Assignment): boolean {
  if (/\(/.test(joint))
    return (
      looksRandom(value) ||
      /(?:^|\.)(?:set|with)\w*$/i.test(name) ||
      (/\d/.test(value) && /(?:^|\.)pass\w*$/i.test(name))
    );
  if (/\bset\s+:$/.test(before)) return true;
  if (/\{\s*$/.test(before) && /^\s*,/.test(joint)) return true;
  if (
    /(?:define|setProperty|setdefault|putenv|fetch|set|put|add|append|getenv|env|get|config|environ|option|default|property|header)\w*\(\s*["'`]$/i.test(
      before,
    )
  )
    return true;
  return looksRandom(value);
}

/** Accepts a bare word only if the format has no other notation for text, or in a comment if it can be nothing else. */
export function acceptBare(kind: CredentialKind, candidate: SecretCandidate): boolean {
  const assignment = readAssignment(candidate);
  if (isProse(candidate.path) && !looksRandom(assignment.value)) return false;
  const { before, after, value, joint } = assignment;
  if (/[?&;|,][\w. -]+=/.test(value) || /[?&;][\w. -]*$|[\w]:$/.test(before) || value.includes('</')) return false;
  if (
    /^[\w.]+\((?:.*\))?$|^[\w.]+\([^)]*$|^[\w$.]+\[|^(?:new|await|function|require|lambda|typeof|return)$|=>|^[!&*|>]$|^[|>][-+]?$/.test(
      value,
    )
  )
    return false;
  const file = fileKind(candidate.path);
  if (isCode(candidate.path) || file === 'source') {
    if (/(?:putenv|setenv)\(\s*["']$/i.test(before)) return isAssigned(kind, assignment, candidate.path);
    if (!/^\s*(?:\/\/|#|\*|--|;|<!--|rem\s|'|%)/i.test(before) || !looksRandom(value) || /[.(]/.test(value))
      return false;
    return endsValue(after) && isAssigned(kind, assignment, candidate.path);
  }
  if (
    file === 'shell' &&
    joint !== '=' &&
    !/^\s*#/.test(before) &&
    !(/(?:-H|--header)[ =]?["']$/.test(before) && looksRandom(value))
  )
    return false;
  return (file === 'shell' || endsValue(after)) && isAssigned(kind, assignment, candidate.path);
}

/** Returns whether a text is a commit's message, in which a word after a name is part of a sentence. */
export const isProse = (path: string): boolean => path === '';

/** Returns whether the name is the type of a form field, or the value an attribute of such a field. */
export function isPasswordField({ before, name, joint, after }: Assignment): boolean {
  const tag = `${before}${name}${joint}`;
  return (
    /\btype\s*=\s*\\?["']?password\b/i.test(tag.slice(tag.lastIndexOf('<'))) ||
    /^[^<>]*\btype=["']?password\b/i.test(after)
  );
}

/** Returns false if the following text makes the value the first word of a sentence. */
export function endsValue(after: string): boolean {
  return /^\s*$|^[\s,;)\]}"'`]*(?:$|#|\/\/|;|\\|-->|<|\||&&|--?\w|[\w.-]+\s*[=:])|^[,;)\]}"'`]/.test(after);
}
