import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weakness } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { secretResult } from '../secret-result.ts';
import { severityOf } from '../severity-words.ts';
import { sourceName } from '../source-name.ts';
import { Spool } from '../spool.ts';
import { banditTitle, titleInWords } from '../titles.ts';
import { firstText, object, objects, position, text } from '../values.ts';

type Report = { type: string | undefined; scanner: string | undefined; version: unknown };

/**
 * GitLab's security reports: SAST, secret detection, dependency and container scanning (schemas 2 to 15).
 *
 * The source is the scanner in the report. Severity: the report's word. The kind of results is in the report's `scan`,
 * which follows them: they wait until then.
 */
export const gitlab: Format = {
  name: 'gitlab',
  title: 'GitLab',
  isShared: true,
  recognise(head) {
    if (hasPaths(head, 'vulnerabilities[].identifiers') && (hasPaths(head, 'version') || hasPaths(head, 'scan')))
      return 1;
    return hasPaths(head, 'vulnerabilities', 'scan') || hasPaths(head, 'vulnerabilities', 'remediations')
      ? 0.9
      : head.paths.size === 2 && hasPaths(head, 'version', 'vulnerabilities')
        ? 0.8
        : 0;
  },
  async *read(chunks, context) {
    const report: Report = { type: undefined, scanner: undefined, version: undefined };
    await using waiting = new Spool<{ value: JsonObject; path: JsonPath }>();
    for await (const event of readJson(chunks, ['vulnerabilities[*]', 'scan'])) {
      requireRootMember(event, ['vulnerabilities'], 'GitLab');
      if (event.kind !== 'item') continue;
      const value = objectAt(event.value, event.path);
      if (event.pattern === 'vulnerabilities[*]') await waiting.add({ value, path: event.path });
      else {
        report.type = text(value.type);
        report.scanner = text(object(value.scanner).id);
        report.version = object(value.scanner).version;
        if (value.status === 'failure') context.incomplete('The scanner says that it failed.');
      }
    }
    if (report.scanner) {
      const source = sourceName(report.scanner, 'gitlab');
      context.covers(source);
      context.version(source, report.version);
    }
    for await (const { value, path } of waiting.drain()) {
      if (!Array.isArray(value.identifiers)) {
        throw new FormatError('A vulnerability must have a list “identifiers”.', {
          path: jsonPathName([...path, 'identifiers']),
        });
      }
      const result = readVulnerability(value, report, context);
      context.covers(result.source);
      yield result;
    }
  },
};

function readVulnerability(found: JsonObject, report: Report, context: ReadContext): ReadDetection {
  const source = sourceName(text(object(found.scanner).id) ?? report.scanner, 'gitlab');
  const place = object(found.location);
  const kind = report.type ?? text(found.category);
  const identifiers = objects(found.identifiers);
  const names = identifiers.flatMap((one) => [text(one.value), text(one.name)]).filter((name) => name !== undefined);
  const known = {
    source,
    id: text(identifiers[0]?.value) ?? firstText(found.name, found.message) ?? 'unnamed',
    title: titleOf(found, identifiers),
    names,
    cwes: identifiers
      .filter((one) => one.type === 'cwe')
      .flatMap((one) => weakness(one.value) ?? weakness(one.name) ?? []),
  };
  if (kind === 'secret_detection') return secret(found, place, known, context);
  const isPackage =
    kind === 'dependency_scanning' ||
    kind === 'container_scanning' ||
    text(object(object(place.dependency).package).name);
  if (isPackage) return dependency(found, place, known);
  const result = code(found, place, known, context);
  const compared = text(found.cve);
  return compared && comparesContent.test(compared)
    ? { ...result, identity: ['gitlab', compared], equals: 'places' }
    : result;
}

/** Some scanners report only an identifier: its name is a little more informative. */
function titleOf(found: JsonObject, identifiers: JsonObject[]): string {
  const given = firstText(found.name, found.message);
  const [first] = identifiers;
  const id = text(first?.value);
  const description = text(found.description);
  const bandit = first?.type === 'bandit_test_id' ? banditTitle(id) : undefined;
  return titleInWords(given ?? id ?? 'Vulnerability', description, bandit, text(first?.name));
}

/**
 * GitLab's own key for comparing results, `file:hash of the code:rule`; some scanners write the line in place of the
 * hash.
 */
const comparesContent = /:[0-9a-f]{40,64}:/;

type Known = { source: string; id: string; title: string; names: string[]; cwes: string[] };

function secret(found: JsonObject, place: JsonObject, known: Known, context: ReadContext): ReadDetection {
  const raw = text(found.raw_source_code_extract);
  return secretResult(
    {
      source: known.source,
      rule: { id: known.id, name: known.title },
      secret: raw,
      line: raw,
      path: text(place.file),
      startLine: position(place.start_line),
      endLine: position(place.end_line),
      commit: text(object(place.commit).sha)?.replace(/^0+$/, ''),
      severity: severityOf(found.severity, undefined, 'high'),
    },
    context,
  );
}

function dependency(found: JsonObject, place: JsonObject, known: Known): ReadDetection {
  const used = object(place.dependency);
  const system = text(place.operating_system);
  const advisories = advisoryIdentifiers(...known.names);
  const result = packageResult({
    source: known.source,
    advisory: advisories[0] ?? known.id,
    aliases: known.names,
    ecosystem: system?.split(/[:\s]/)[0]?.toLowerCase() ?? '',
    name: text(object(used.package).name) ?? 'an unnamed package',
    version: text(used.version),
    manifest: text(place.file),
    title: known.title,
    description: text(found.description),
    severity: severityOf(found.severity, undefined),
    weaknesses: known.cwes,
    references: objects(found.links).flatMap((link) => text(link.url) ?? []),
  });
  return { ...result, remediation: text(found.solution) ?? result.remediation };
}

function code(found: JsonObject, place: JsonObject, known: Known, context: ReadContext): ReadDetection {
  return codeResult(
    {
      source: known.source,
      title: known.title,
      description: firstText(found.description, found.message) ?? known.title,
      severity: severityOf(found.severity, undefined),
      rule: {
        id: known.id.slice(0, 200),
        name: known.title,
        url: objects(found.identifiers)
          .map((one) => text(one.url))
          .find(Boolean),
      },
      location: {
        path: filePath(text(place.file)),
        start_line: position(place.start_line),
        end_line: position(place.end_line ?? place.start_line),
      },
      content: text(found.raw_source_code_extract),
      instead: firstText(found.description, found.message, found.name) ?? known.names[0],
      identifiers: [...advisoryIdentifiers(...known.names), ...known.cwes],
      remediation: text(found.solution),
      references: objects(found.links).flatMap((link) => text(link.url) ?? []),
    },
    context,
  );
}
