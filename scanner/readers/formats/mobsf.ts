import type { Severity } from '../../contract/severity.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonEvent, type JsonObject, type JsonPath, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { withoutMarkup } from '../markup.ts';
import { filePath } from '../paths.ts';
import { secretResult } from '../secret-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, list as listOf, number, object, position, text, texts } from '../values.ts';

const source = 'mobsf';

/**
 * MobSF's JSON report of a static analysis (its source: `StaticAnalyzer/views/android/db_interaction.py`,
 * `views/ios/db_interaction.py`). One finding of an app for each rule about its code, with the files as its locations:
 * decompiled files have other names in the next build. Also one for each component or setting of the manifest, the
 * network configuration and the certificate, each missing protection of a library (for all processors that it is built
 * for), each dangerous permission (`info`) and each possible secret. Severity: high, warning is `medium`; results that
 * MobSF rates as secure or good are not findings.
 */
export const mobsf: Format = {
  name: 'mobsf',
  title: 'MobSF',
  recognise: (head) => (hasPaths(head, 'app_name', 'file_name', 'md5') ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    const watch = (event: JsonEvent) => {
      report.watch(event);
      if (event.kind === 'item' && event.pattern === 'version') context.version(source, event.value);
    };
    for await (const { group, list, value, path } of readGroups(chunks, { ...report, watch })) {
      const app = firstText(group.package_name, group.bundle_id, group.app_name) ?? '';
      if (list === null) yield* atEnd(group, app, context);
      else yield* readers[list]!(value, app, path);
    }
  },
};

type Reader = (found: JsonObject, app: string, path: JsonPath) => Iterable<ReadDetection>;

const readers: Record<string, Reader> = {
  'code_analysis.findings.*': readCode,
  // Before version 3.2.
  'code_analysis.*': readCode,
  'manifest_analysis.manifest_findings': readManifest,
  manifest_analysis: readManifest,
  'network_security.network_findings': readNetwork,
  network_security: readNetwork,
  'binary_analysis.findings.*': readBinary,
  'binary_analysis.*': readBinary,
  binary_analysis: readLibrary,
  dylib_analysis: readLibrary,
  framework_analysis: readLibrary,
  'macho_analysis.*': readBinary,
  'ats_analysis.ats_findings': readTransport,
  ats_analysis: readTransport,
  'permissions.*': readPermission,
};

const report: Groups = {
  at: [''],
  members: ['package_name', 'bundle_id', 'app_name', 'certificate_analysis', 'secrets'],
  lists: Object.keys(readers),
  isKnown: (group) => text(group.package_name) !== undefined || text(group.bundle_id) !== undefined,
  watched: ['version'],
  watch: (event) => requireRootMember(event, ['app_name', 'code_analysis', 'manifest_analysis'], 'MobSF'),
};

type Found = {
  app: string;
  kind: string;
  rule: string;
  /** The part of the identity besides the rule. */
  subject?: string[];
  title: string;
  description: string | undefined;
  severity: Severity;
  facts?: JsonObject;
  path?: string | undefined;
  places?: ReadDetection['places'];
};

function result({ app, kind, rule, subject = [], facts = {}, ...found }: Found): ReadDetection {
  const first = found.places?.[0];
  const title = withoutMarkup(found.title.replace(/<br\s*\/?>/gi, ' ')) || rule;
  return {
    source,
    identity: ['mobsf', app, kind, rule, ...subject],
    equals: 'places',
    title: app ? `${title} (${app})` : title,
    description: withoutMarkup(found.description) || title,
    severity: found.severity,
    rule: {
      id: `${kind}-${rule}`,
      name: title,
      tags: [...texts(facts.masvs), ...texts(facts['owasp-mobile'])],
    },
    location: first
      ? { path: first.path, start_line: first.start_line, end_line: first.end_line }
      : { path: filePath(found.path) },
    places: found.places,
    identifiers: weaknesses(texts(facts.cwe)),
    cvss_score: cvssScore(number(facts.cvss)) || undefined,
    references: texts(facts.ref),
  };
}

/** Returns null for correct settings. */
function severityOfWord(word: unknown): Severity | null {
  const known = String(word ?? '').toLowerCase();
  if (/^(secure|good|suppressed|normal|signature)?$/.test(known)) return null;
  return known === 'hotspot' ? 'info' : severityOf(known, undefined, 'info');
}

const firstSentence = (description: string | undefined): string | undefined => description?.split(/\.\s/, 1)[0];

function* readCode(found: JsonObject, app: string, path: JsonPath): Generator<ReadDetection> {
  const facts = object(found.metadata);
  const rule = String(path.at(-1));
  const severity = severityOfWord(facts.severity);
  if (severity === null) return;
  const description = text(facts.description);
  // A list of files before version 3.1; since then their lines, `12,80`, by file.
  const files = Array.isArray(found.files)
    ? texts(found.files).map((file) => [file, ''] as const)
    : Object.entries(object(found.files)).map(([file, lines]) => [file, String(lines)] as const);
  const places = files.flatMap(([file, lines]) =>
    lines.split(',').map((line) => {
      const at = position(line.trim());
      return { path: filePath(file), start_line: at, end_line: at, commit: null };
    }),
  );
  yield result({ app, kind: 'code', rule, title: description ?? rule, description, severity, facts, places });
}

function* readManifest(found: JsonObject, app: string): Generator<ReadDetection> {
  const severity = severityOfWord(found.severity ?? found.stat);
  const title = firstText(found.title, found.name);
  if (severity === null || title === undefined) return;
  const rule = text(found.rule) ?? slug(firstText(found.name, found.title) ?? 'manifest');
  const subject = texts(found.component);
  const description = firstText(found.description, found.desc);
  yield result({ app, kind: 'manifest', rule, subject, title, description, severity, path: 'AndroidManifest.xml' });
}

function* readNetwork(found: JsonObject, app: string): Generator<ReadDetection> {
  const severity = severityOfWord(found.severity);
  const description = text(found.description);
  if (severity === null || description === undefined) return;
  const scopes = texts(found.scope);
  const title = `${firstSentence(description)}${scopes.length > 0 ? `: ${scopes.join(', ')}` : ''}`;
  yield result({ app, kind: 'network', rule: slug(description), subject: scopes, title, description, severity });
}

/** One protection of the app's own binary; `info` means that it is present. */
function* readBinary(found: JsonObject, app: string, path: JsonPath): Generator<ReadDetection> {
  const severity = severityOfWord(found.severity);
  if (severity === null || severity === 'info') return;
  const rule = String(path.at(-1));
  const description = firstText(found.detailed_desc, found.description);
  const title = 'detailed_desc' in found ? rule : (firstSentence(description) ?? rule);
  yield result({ app, kind: 'binary', rule, title, description, severity, facts: found });
}

/** A library with its protections. */
function* readLibrary(found: JsonObject, app: string): Generator<ReadDetection> {
  const name = text(found.name) ?? '';
  const library = name.replace(/^(?:.*\/)?lib\/[^/]+\//, '');
  for (const [rule, value] of Object.entries(found)) {
    const facts = object(value);
    const severity = severityOfWord(facts.severity);
    if (severity === null || severity === 'info') continue;
    const description = text(facts.description);
    const title = `${firstSentence(description) ?? rule} in ${library}`;
    const places = [{ path: filePath(name), start_line: null, end_line: null, commit: null }];
    yield result({ app, kind: 'binary', rule, subject: [library], title, description, severity, places });
  }
}

function* readTransport(found: JsonObject, app: string): Generator<ReadDetection> {
  const severity = severityOfWord(found.severity ?? found.status);
  const title = text(found.issue);
  if (severity === null || title === undefined) return;
  yield result({ app, kind: 'ats', rule: slug(title), title, description: text(found.description), severity });
}

function* readPermission(found: JsonObject, app: string, path: JsonPath): Generator<ReadDetection> {
  if (found.status !== 'dangerous') return;
  const rule = String(path.at(-1));
  const title = `Dangerous permission ${rule}`;
  const description = firstText(found.description, found.info);
  yield result({ app, kind: 'permission', rule, title, description, severity: 'info', path: 'AndroidManifest.xml' });
}

const slug = (title: string): string =>
  title
    .replace(/<[^<>]*>/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80);

/** Reads the groups that are not lists of objects: the certificate's results (`[severity, description, title]`), and secrets. */
function* atEnd(group: JsonObject, app: string, context: ReadContext): Generator<ReadDetection> {
  for (const item of listOf(object(group.certificate_analysis).certificate_findings)) {
    const [word, description, title] = listOf(item).map((part) => text(part));
    const severity = severityOfWord(word);
    if (severity === null || severity === 'info' || description === undefined) continue;
    const name = title ?? firstSentence(description) ?? description;
    yield result({ app, kind: 'certificate', rule: slug(name), title: name, description, severity });
  }
  for (const secret of texts(group.secrets)) {
    const rule = { id: 'possible-secret', name: 'Possible secret' };
    const found = secretResult({ source, rule, secret, path: undefined, severity: 'medium' }, context);
    yield { ...found, identity: [...found.identity, app], title: `Possible secret in ${app || 'an app'}` };
  }
}
