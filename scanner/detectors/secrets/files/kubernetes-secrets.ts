import { credentialKind } from '../credential-name.ts';
import { isCredential } from '../credential-value.ts';
import type { SecretCandidate, SecretRule } from '../rule.ts';
import { genericRule, samplePassword, sampleToken } from './generic-rule.ts';

/** The entries of a Kubernetes Secret in a text: from the line after `data:` to the end of its block. */
type Section = { name: 'data' | 'stringData'; start: number; end: number; indent: number };
type Open = { indent: number; isSecret: boolean; sections: Section[] };
type Document = { text: string; start: number; end: number; sections: Section[] };

const keyLine = /^([ \t]*(?:- +)*)["']?([\w./-]+)["']?[ \t]*:[ \t]*(?:["']?(\w*)["']?)/;
const inlineSection = /"(data|stringData)"\s*:\s*\{([^{}]*)\}/g;

let last: Document | null = null;

/**
 * Returns the section of a Kubernetes Secret that contains this offset, or null. Reads each YAML document once: its
 * values are looked up in succession.
 */
function sectionAt(text: string, offset: number): Section | null {
  if (!last || offset < last.start || offset >= last.end || last.text !== text) {
    const start = text.lastIndexOf('\n---', offset) + 1;
    const next = text.indexOf('\n---', offset + 1);
    const end = next < 0 ? text.length + 1 : next + 1;
    last = { text, start, end, sections: readSections(text, start, Math.min(end, text.length)) };
  }
  const { sections } = last;
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sections[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const found = sections[low - 1];
  return found && offset < found.end ? found : null;
}

function readSections(text: string, start: number, end: number): Section[] {
  const found: Section[] = [];
  const open: Open[] = [];
  const close = (map: Open, at: number) => {
    const section = map.sections.at(-1);
    if (section?.end === Number.POSITIVE_INFINITY) section.end = at;
  };
  const drop = (indent: number, at: number) => {
    while (open.length > 0 && open.at(-1)!.indent >= indent) {
      const map = open.pop()!;
      close(map, at);
      if (map.isSecret) found.push(...map.sections);
    }
  };
  for (let at = start; at < end; ) {
    const stop = text.indexOf('\n', at);
    const next = stop < 0 || stop > end ? end : stop + 1;
    const line = text.slice(at, next);
    const [, lead, key = '', value = ''] = keyLine.exec(line.slice(0, 400)) ?? [];
    if (/"kind"\s*:\s*"Secret"/.test(line)) found.push(...readInline(line, at));
    if (lead !== undefined) {
      drop(lead.includes('-') ? lead.length : lead.length + 1, at);
      if (open.at(-1)?.indent !== lead.length) open.push({ indent: lead.length, isSecret: false, sections: [] });
      const map = open.at(-1)!;
      close(map, at);
      if (key === 'kind' && value === 'Secret') map.isSecret = true;
      if (key === 'data' || key === 'stringData') {
        map.sections.push({ name: key, start: next - 1, end: Number.POSITIVE_INFINITY, indent: lead.length });
      }
    }
    at = next;
  }
  drop(-1, end);
  return found.sort((left, right) => left.start - right.start);
}

function readInline(line: string, at: number): Section[] {
  return [...line.matchAll(inlineSection)].map(({ 0: whole, 1: name, index }) => ({
    name: name as Section['name'],
    start: at + index + whole.indexOf('{'),
    end: at + index + whole.length,
    indent: -1,
  }));
}

type Entry = { key: string; section: 'data' | 'stringData'; value: string };

const maxValue = 32_768;
const keyOf = /["']?([\w./-]+)["']?[ \t]*:[ \t]*(?:!!binary|[|>]|["']|\r?\n|$)/;

/** Returns the line's key and its section if the line is an entry of a Kubernetes Secret; null otherwise. */
function readEntry({ text, matchStart, start, end }: SecretCandidate): Entry | null {
  const from = text[matchStart] === '\n' ? matchStart + 1 : matchStart;
  const section = sectionAt(text, from);
  if (!section) return null;
  const head = text.slice(from, start);
  const key = keyOf.exec(head)?.[1] ?? '';
  const indent = /^[ \t]*/.exec(head)![0].length;
  if (section.indent >= 0 && (indent <= section.indent || isNested(text, section.start, from, indent))) return null;
  const value = text.slice(start, end).trim();
  return {
    key,
    section: section.name,
    value:
      /:[ \t]*[|>\n]/.test(head) || /^\\?\r?\n/.test(text.slice(end, end + 3))
        ? value + continuation(text, end, indent)
        : value,
  };
}

/** Whether the line belongs to the value of another entry: the first entry has a smaller indentation. */
function isNested(text: string, sectionStart: number, from: number, indent: number): boolean {
  const first = /^[ \t]*/.exec(text.slice(sectionStart + 1, sectionStart + 120))![0].length;
  return from > sectionStart + 1 && first > 0 && indent > first;
}

/** Returns the further lines of a block or folded value, which are indented deeper than its key. */
function continuation(text: string, end: number, indent: number): string {
  const rest: string[] = [''];
  for (const line of text
    .slice(end, end + maxValue)
    .split('\n')
    .slice(1)) {
    if (line.trim() !== '' && /^[ \t]*/.exec(line)![0].length <= indent) break;
    // The end of a line within quotes, and the closing quote.
    rest.push(line.trim().replace(/\\$|"$/, ''));
  }
  return rest.join('\n').trimEnd();
}

/** Keys of entries that are names or public values. */
const harmless =
  /^(?:user(?:name)?|login|host(?:name)?|port|database|db_?name|name|email|endpoint|region|namespace|url|issuer|type)$|(?:^|[._-])(?:user(?:name)?|host|port|crt|cert|certificate|ca|pub|email|region|namespace|id)(?:\.(?:pem|crt))?$/i;

function isSecretEntry(candidate: SecretCandidate): boolean {
  const entry = readEntry(candidate);
  if (!entry) return false;
  const value = entry.section === 'data' ? decode(entry.value) : entry.value;
  if (value === null || harmless.test(entry.key)) return false;
  // Encoded random bytes, keystores and similar values.
  if (/[^\t\r\n\x20-\x7e]/.test(value)) return entry.section === 'data' && value.length >= 16;
  const text = value.trim();
  if (text.includes('\n') || text.startsWith('{')) return holdsCredential(text);
  const kind = 'password' as const;
  const isNamed = credentialKind(entry.key) !== null || /pass|secret|token|key/i.test(entry.key);
  if (!isNamed && !/[\d!#$%&*+@^~]/.test(text)) return false;
  return isCredential({ value: text, name: kind, kind, file: isNamed ? 'configuration' : 'source', quoted: true });
}

/** Decodes base64, once or twice. */
function decode(value: string): string | null {
  const packed = value.replace(/\s/g, '');
  if (packed.length < 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return null;
  const once = Buffer.from(packed, 'base64').toString('latin1');
  const inner = /^[A-Za-z0-9+/]{12,}={1,2}$/.test(once) ? Buffer.from(once, 'base64').toString('latin1') : '';
  return /^[\x20-\x7e]{4,}$/.test(inner) ? inner : once;
}

/**
 * A value that is a file: it has a setting with the name and the value of a credential. PEM blocks have their own
 * rules.
 */
function holdsCredential(text: string): boolean {
  const settings = text.matchAll(/["']?([\w.-]{3,60})["']?[ \t]*[:=][ \t]*["']?([^\s"',}]{4,400})/g);
  for (const [, name = '', value = ''] of settings) {
    const kind = credentialKind(name);
    if (kind && isCredential({ value, name, kind, file: 'configuration', quoted: true })) return true;
  }
  return /BEGIN [A-Z ]*PRIVATE KEY/.test(text);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretOf = (body: string): string => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\n${body}`;
const folded = base64(`${samplePassword}${sampleToken}${samplePassword}`)
  .match(/.{1,30}/g)!
  .join('\n    ');
const registry = base64(JSON.stringify({ auths: { r: { auth: base64(`ci:${samplePassword}${sampleToken}`) } } })).match(
  /.{1,40}/g,
)!;
const at = (text: string) => ({ path: 'deploy/secret.yaml', text });

/** Entries of Kubernetes Secrets, whose keys need not reveal their meaning. */
export const kubernetesSecretRules: SecretRule[] = [
  genericRule({
    id: 'kubernetes-secret-entry',
    name: 'Kubernetes Secret',
    risk: 'Base64 hides nothing: anyone who reads it has the credential of the workload.',
    remediation:
      'Change the credential. Keep Secrets out of the repository, or encrypt them there (Sealed Secrets, SOPS, External Secrets).',
    keywords: ['kind: secret', 'kind: "secret"', "kind: 'secret'", '"kind": "secret"', '"kind":"secret"'],
    path: /\.(?:ya?ml|json|tpl|tmpl|j2|txt)$|(?:^|\/)[^.]+$/i,
    pattern: [
      '^[ \\t]{1,60}["\']?[\\w./-]{1,253}["\']?[ \\t]{0,4}:[ \\t]{1,8}(?:!!binary[ \\t]{1,4})?(?:[|>][-+0-9]{0,3}[ \\t]{0,4}\\r?\\n[ \\t]{1,80}(?P<secret>[^\\s#][^\\r\\n]{2,})|"(?P<secret6>[A-Za-z0-9+/]{20,})\\\\?\\r?\\n|"(?P<secret2>[^"\\r\\n]{4,})"|\'(?P<secret3>[^\'\\r\\n]{4,})\'|(?P<secret4>[^\\s"\'|>&*!{\\[#][^\\s]{3,}))',
      // A value without quotes that starts in the next line.
      '^[ \\t]{1,60}["\']?[\\w./-]{1,253}["\']?[ \\t]{0,4}:[ \\t]{0,4}\\r?\\n[ \\t]{1,80}(?P<secret7>[A-Za-z0-9+/]{20,}={0,2})(?:\\r?\\n|$)',
      '"[\\w./-]{1,253}"[ \\t]{0,4}:[ \\t]{0,4}"(?P<secret5>[^"\\r\\n]{4,})"',
    ].join('|'),
    accept: isSecretEntry,
    matches: [
      at(secretOf(`data:\n  db: ${base64(samplePassword)}\n`)),
      at(secretOf(`data:\n  username: ${base64('admin')}\n  password: ${base64('hunter2')}\n`)),
      at(secretOf(`data:\n  twice: ${base64(base64(samplePassword))}\n`)),
      at(secretOf(`data:\n  token: >-\n    ${folded}\n`)),
      at(secretOf(`data:\n  token: |\n    ${base64(sampleToken)}\n`)),
      at(secretOf(`data:\n  .dockerconfigjson: >-\n    ${registry.join('\n    ')}\n  user: YWRtaW4=\n`)),
      at(secretOf(`data:\n  .dockerconfigjson:\n    ${registry.join('\n    ')}\n  user: YWRtaW4=\n`)),
      at(secretOf(`data:\n  .dockerconfigjson: "${registry.join('\\\n    ')}"\n  user: YWRtaW4=\n`)),
      at(secretOf(`stringData:\n  connection: ${samplePassword}\n`)),
      at(`stringData:\n  first: "${samplePassword}"\nkind: Secret\n`),
      at(
        `kind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  data:\n    db: ${base64(samplePassword)}\n- kind: ConfigMap\n  data:\n    x: ${base64(samplePassword)}\n`,
      ),
      { path: 'secret.json', text: JSON.stringify({ kind: 'Secret', data: { db: base64(samplePassword) } }) },
      { path: 'secret.json', text: JSON.stringify({ kind: 'Secret', data: { db: base64(samplePassword) } }, null, 2) },
      at(
        secretOf(
          `data:\n  .dockerconfigjson: ${base64(JSON.stringify({ auths: { r: { auth: base64(`ci:${samplePassword}`) } } }))}\n`,
        ),
      ),
      at(secretOf(`data:\n  app.properties: ${base64(`user=app\npassword=${samplePassword}\n`)}\n`)),
    ],
    misses: [
      at(secretOf(`data:\n  password: ${base64('changeme')}\n  username: ${base64('admin')}\n`)),
      at(secretOf('stringData:\n  password: $(DB_PASSWORD)\n')),
      at(secretOf(`type: Opaque\n  other: ${base64(samplePassword)}\n`)),
      at(secretOf(`data:\n  ca.crt: ${base64('-----BEGIN CERTIFICATE-----')}\n  level: ${base64('production')}\n`)),
      at(`kind: ConfigMap\ndata:\n  db: ${base64(samplePassword)}\n---\nkind: Secret\n`),
    ],
  }),
];
