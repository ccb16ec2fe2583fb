import type { Confidence } from '../../../contract/confidence.ts';
import type { Fix, FixChange } from '../../../contract/detection.ts';
import { type Severity, severityFromCvss } from '../../../contract/severity.ts';
import type { Suppression } from '../../../contract/suppression.ts';
import { isAboutSecret, redactTexts } from '../../../detectors/secrets/redact-text.ts';
import { codeResult } from '../../code-result.ts';
import { confidenceFromShare, confidenceFromWord } from '../../confidence.ts';
import { type GivenExcerpts, readExcerpts } from '../../excerpts.ts';
import type { ReadContext, ReadDetection } from '../../format.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import type { JsonObject } from '../../json/json.ts';
import { decodedPath } from '../../paths.ts';
import { secretResult } from '../../secret-result.ts';
import { cvssScore, severityFromWord } from '../../severity-words.ts';
import { firstSentence } from '../../titles.ts';
import { firstText, list, number, object, objects, position, text, texts } from '../../values.ts';
import { type Artifacts, readLocation, type SarifLocation, type SarifRun } from './sarif-location.ts';
import { findRule, maxHelp, type SarifRule, type SarifTool, taxon, weaknessesIn } from './sarif-rules.ts';

/**
 * Returns a message with its arguments filled in and its links to locations (`[name](1)`) as plain text, or undefined.
 */
function messageOf(message: JsonObject, rule: SarifRule | undefined, tool: SarifTool): string | undefined {
  const id = text(message.id);
  const known = id === undefined ? {} : object(rule?.messages[id] ?? tool.messages[id]);
  const found = firstText(message.text, known.text, message.markdown, known.markdown);
  if (found === undefined) return undefined;
  const values = list(message.arguments);
  const filled = found.replace(/\{(\d{1,3})\}/g, (whole, place) =>
    typeof values[place] === 'string' ? values[place] : whole,
  );
  return filled.replace(/\[((?:[^\][\\]|\\.)*)\]\(\d+\)/g, '$1').trim();
}

/** SARIF's levels: `note` and `none` claim no weakness. */
const levels: Record<string, Severity> = { error: 'high', warning: 'medium', note: 'info', none: 'info' };

/**
 * Returns `security-severity` of the result or its rule, if it is a score. Assay's own reports derive it from the severity
 * of findings without a score.
 */
function sarifScore(result: JsonObject, rule: SarifRule | undefined, source: string): number | undefined {
  if (source === 'assay') return undefined;
  return cvssScore(number(object(result.properties)['security-severity']) ?? number(rule?.securitySeverity));
}

/**
 * `security-severity` of the result or its rule (a score from 0 to 10 as GitHub defines it, or a word); or else the
 * level of the result, of its rule, or SARIF's default, `warning`. Snyk documents `note` as its severity low.
 */
function sarifSeverity(result: JsonObject, rule: SarifRule | undefined, source: string): Severity {
  for (const given of [object(result.properties)['security-severity'], rule?.securitySeverity]) {
    const score = number(given);
    if (score !== undefined && score >= 0 && score <= 10) return severityFromCvss(score);
    const word = severityFromWord(given);
    if (word) return word;
  }
  const level = text(result.level) ?? rule?.level ?? 'warning';
  return level === 'note' && source.startsWith('snyk') ? 'low' : (levels[level] ?? 'medium');
}

/**
 * Returns the confidence of the result or its rule. `rank` is a number from 0 to 100, which tools also use for the
 * importance of a result, so a word precedes it; -1 is SARIF's default.
 */
function sarifConfidence(result: JsonObject, rule: SarifRule | undefined): Confidence | null {
  const properties = object(result.properties);
  const own = [properties.confidence, properties.issue_confidence].map(
    (given) => confidenceFromWord(given) ?? confidenceFromShare(number(given)),
  );
  const rank = number(result.rank);
  return (
    own.find((known) => known !== null) ??
    rule?.confidence ??
    confidenceFromShare(rank === undefined ? undefined : rank / 100)
  );
}

/**
 * Keys that some tools include in the fingerprints although they do not identify the result, or change when it moves.
 */
const notIdentifying = new Set([
  'commitSha',
  'email',
  'author',
  'date',
  'commitMessage',
  'primaryLocationStartColumnFingerprint',
]);

/**
 * Returns the tool's own identity of a result, or null.
 *
 * `fingerprints` are complete: with the rule they are the identity, regardless of the file. `partialFingerprints` are a
 * part of it, together with rule and file. If GitHub's `primaryLocationLineHash` is among them, only that is used, so
 * that a tool may add others. Semgrep without a login writes “requires login” as each result's fingerprint.
 */
function toolIdentity(result: JsonObject, ruleId: string, path: string): string[] | null {
  const whole = entriesOf(result.fingerprints);
  if (whole.length > 0) return ['fingerprint', ruleId, ...whole.flat()];
  const correlation = text(result.correlationGuid);
  if (correlation) return ['correlation', correlation.toLowerCase()];
  const partial = entriesOf(result.partialFingerprints);
  if (partial.length === 0) return null;
  const lineHash = partial.find(([name]) => /^primaryLocationLineHash(?:\/v\d+)?$/.test(name));
  return ['partial', ruleId, path, ...(lineHash ? [lineHash] : partial).flat()];
}

function entriesOf(value: unknown): Array<[string, string]> {
  return Object.entries(object(value))
    .filter((entry): entry is [string, string] => text(entry[1]) !== undefined && entry[1] !== 'requires login')
    .filter(([name]) => !notIdentifying.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Returns the code around the first location (`contextRegion`), the first flow and the first fix of a result; null if
 * it has none of them.
 */
function excerptsOf(
  result: JsonObject,
  rule: SarifRule | undefined,
  run: SarifRun,
  context: ReadContext,
): GivenExcerpts | null {
  const code = codeOf(object(object(objects(result.locations)[0]).physicalLocation)) ?? ownCode(result, run);
  const hasMore = result.codeFlows !== undefined || result.fixes !== undefined;
  if (code === null && !hasMore) return null;
  return { code, flow: flowOf(result, rule, run, context), fix: fixOf(result, run.artifacts, context) };
}

function codeOf({ contextRegion }: JsonObject): GivenExcerpts['code'] {
  const around = object(contextRegion);
  const [start, end] = [position(around.startLine), position(around.endLine)];
  const snippet = text(object(around.snippet).text);
  if (start === null || snippet === undefined) return null;
  const lines = snippet.split('\n');
  if (lines.at(-1) === '' && (end === null || lines.length > end - start + 1)) lines.pop();
  return { start, text: lines.join('\n') };
}

/** Assay's own files have the code separately if SARIF doesn't allow a `contextRegion`. */
function ownCode(result: JsonObject, { tool }: SarifRun): GivenExcerpts['code'] {
  const { start_line, lines } = object(tool.name === 'Assay' ? object(result.properties).code : null);
  const start = position(start_line);
  return start === null ? null : { start, text: texts(lines).join('\n') };
}

/** A flow may go through several threads; the first one leads to the location. */
function flowOf(
  result: JsonObject,
  rule: SarifRule | undefined,
  run: SarifRun,
  context: ReadContext,
): GivenExcerpts['flow'] {
  const flows = list(result.codeFlows);
  const threads = list(object(flows[0]).threadFlows);
  const steps = list(object(threads[0]).locations);
  if (steps.length === 0) return null;
  if (flows.length > 1 || threads.length > 1) context.leftOut('several flows');
  return {
    count: steps.length,
    at(index) {
      const step = object(steps[index]);
      const location = object(step.location);
      const { path, start_line } = readLocation(location, run.artifacts);
      // In other tools, the execution order is a time, and may have gaps.
      const number = run.tool.name === 'Assay' ? position(step.executionOrder) : null;
      const message = messageOf(object(location.message), rule, run.tool) ?? null;
      return { path, start_line, message, ...(number === null ? {} : { number }) };
    },
  };
}

function fixOf(result: JsonObject, artifacts: Artifacts, context: ReadContext): Fix | null {
  const fixes = objects(result.fixes);
  const [fix] = fixes;
  if (!fix) return null;
  if (fixes.length > 1) context.leftOut('several fixes');
  const changes: FixChange[] = [];
  for (const { artifactLocation, replacements } of objects(fix.artifactChanges)) {
    const artifact = object(artifactLocation);
    const path = decodedPath(text(artifact.uri) ?? artifacts.get(artifact.index as number));
    for (const { deletedRegion, insertedContent } of objects(replacements)) {
      const region = object(deletedRegion);
      const start_line = position(region.startLine);
      if (path === null || start_line === null) {
        context.leftOut('a fix without lines');
        return null;
      }
      const inserted = object(insertedContent).text;
      changes.push({
        path,
        start_line,
        end_line: Math.max(start_line, position(region.endLine) ?? start_line),
        start_column: position(region.startColumn),
        end_column: position(region.endColumn),
        text: typeof inserted === 'string' ? inserted : '',
      });
    }
  }
  const description = object(fix.description);
  return { description: text(description.text) ?? text(description.markdown) ?? null, changes };
}

const maxMessage = 5_000;
const maxRuleText = 2_000;

/** Tools that report only secrets: their snippets are the secrets themselves. */
const secretTools = new Set([
  'gitleaks',
  'trufflehog',
  'detect-secrets',
  'ggshield',
  'gitguardian',
  'noseyparker',
  'kingfisher',
  'betterleaks',
]);

/** Tools that list all places of a rule as locations of one result, although each is a separate problem (libsast). */
const listingTools = new Set(['nodejsscan', 'njsscan', 'mobsfscan']);

/** Returns the problems that a result reports: usually one, in all of its locations. */
export function problemsOf(result: JsonObject, source: string): JsonObject[] {
  const locations = objects(result.locations);
  return listingTools.has(source) && locations.length > 1
    ? locations.map((location) => ({ ...result, locations: [location] }))
    : [result];
}

/**
 * Returns whether a result reports an existing problem, not a passed check or one that is absent since the baseline.
 */
export const isProblem = (result: JsonObject): boolean =>
  (result.kind === undefined || result.kind === 'fail') && result.baselineState !== 'absent';

export function readSarifResult(result: JsonObject, run: SarifRun, context: ReadContext): ReadDetection {
  const rule = findRule(run.tool, result);
  const message = messageOf(object(result.message), rule, run.tool);
  const locations = objects(result.locations).map((location) => readLocation(location, run.artifacts));
  const id = text(result.ruleId) ?? text(object(result.rule).id) ?? (rule?.id || (message ?? 'unnamed').slice(0, 100));
  return secretTools.has(run.source)
    ? secretOf(result, { id, message, place: locations[0] }, run, context)
    : problemOf(result, { id, message, rule, locations }, run, context);
}

type Read = { id: string; message: string | undefined; rule: SarifRule | undefined; locations: SarifLocation[] };

function problemOf(
  result: JsonObject,
  { id, message, rule, locations }: Read,
  run: SarifRun,
  context: ReadContext,
): ReadDetection {
  const { path = null, logical, snippet, ...lines } = locations[0] ?? { path: null, start_line: null, end_line: null };
  const identifiers = [...advisoryIdentifiers(id, rule?.short), ...weaknessesOf(result, rule)];
  const commit = run.commit ?? null;
  const own = ownWords(result, run.source);
  const about = rule?.full && rule.full !== message ? rule.full.slice(0, maxRuleText) : undefined;
  if ((message?.length ?? 0) > maxMessage) context.cut('description', maxMessage);
  else if (about?.length === maxRuleText) context.cut('description', maxRuleText);
  if (rule?.help?.length === maxHelp && rule.help !== rule.full) context.cut('remediation', maxHelp);
  const detection = codeResult(
    {
      source: run.source,
      title: rule?.short ?? firstSentence(message ?? rule?.full ?? rule?.name ?? id),
      description: [message?.slice(0, maxMessage), logical && path === null ? `In \`${logical}\`.` : undefined, about]
        .filter(Boolean)
        .join('\n\n'),
      severity: sarifSeverity(result, rule, run.source),
      rule: { id, name: rule?.name ?? rule?.short, url: rule?.url, tags: rule?.tags },
      location: { path, ...lines, commit, url: own ? own.url : text(result.hostedViewerUri) },
      places:
        locations.length > 1
          ? locations.map((one) => ({ path: one.path, start_line: one.start_line, end_line: one.end_line, commit }))
          : undefined,
      content: snippet,
      instead: `${logical ?? ''} ${message ?? ''}`.trim(),
      identifiers,
      cvss_score: sarifScore(result, rule, run.source),
      confidence: sarifConfidence(result, rule),
      remediation: rule?.help === rule?.full ? undefined : rule?.help,
      suppression: suppressionOf(result, own?.status),
    },
    context,
  );
  const title = own?.title === undefined ? detection.title : redactTexts([own.title])[0]!;
  const given = excerptsOf(result, rule, run, context);
  const { start_line, end_line } = lines;
  const place = { path, start_line, end_line, start_column: locations[0]?.start_column ?? null };
  // Assay has already redacted its own lines.
  const literals = run.tool.name !== 'Assay' && isAboutSecret(identifiers, id);
  const excerpts = given && readExcerpts(given, place, literals, context);
  return { ...detection, ...excerpts, title, identity: toolIdentity(result, id, path ?? '') ?? detection.identity };
}

/**
 * Assay's own reports have facts on each result that SARIF has only for rules, or not at all; their texts are
 * redacted.
 */
function ownWords(result: JsonObject, source: string): { title?: string; status?: string; url?: string } | null {
  if (source !== 'assay') return null;
  const { title, status, url } = object(result.properties);
  return { title: text(title), status: text(status), url: text(url) };
}

function weaknessesOf(result: JsonObject, rule: SarifRule | undefined): string[] {
  return [
    ...(rule?.weaknesses ?? []),
    ...weaknessesIn(object(result.properties)),
    ...objects(result.taxa).flatMap(taxon),
  ];
}

function secretOf(
  result: JsonObject,
  { id, message, place }: { id: string; message: string | undefined; place: SarifLocation | undefined },
  run: SarifRun,
  context: ReadContext,
): ReadDetection {
  const rule = findRule(run.tool, result);
  const properties = object(result.properties);
  const commit = text(properties.commit) ?? text(object(result.partialFingerprints).commitSha) ?? run.commit;
  // In Gitleaks 8 the snippet is the secret itself; in version 7 it is the line, with the secret beside it.
  const secret = text(properties.offender) ?? (place?.end_column ? place.snippet : undefined);
  const found = secretResult(
    {
      source: run.source,
      rule: { id, name: rule?.short ?? rule?.name ?? id, url: rule?.url, tags: rule?.tags },
      secret,
      line: place?.snippet ?? message,
      path: place?.path ?? undefined,
      startLine: place?.start_line,
      endLine: place?.end_line,
      startColumn: place?.start_column,
      endColumn: place?.end_column,
      commit,
      // Secret scanners seldom set a level, and SARIF's default is too low for a secret in plain text.
      severity:
        result.level === undefined && rule?.level === undefined ? 'high' : sarifSeverity(result, rule, run.source),
    },
    context,
  );
  return { ...found, confidence: sarifConfidence(result, rule), suppression: suppressionOf(result) };
}

/** A result is suppressed unless the suppression was rejected or is still under review. */
export function suppressionOf(result: JsonObject, status?: string): Suppression | undefined {
  const suppressions = objects(result.suppressions);
  if (
    suppressions.length === 0 ||
    suppressions.some((one) => one.status === 'rejected' || one.status === 'underReview')
  )
    return undefined;
  const reasons = suppressions.map((one) => text(one.justification)).filter((reason) => reason !== undefined);
  const isFalse =
    status === undefined
      ? reasons.some((reason) => /false[ _-]?positive|not[ _-]affected/i.test(reason))
      : status === 'false_positive';
  const where = suppressions.some((one) => one.kind === 'external') ? 'outside the code' : 'in the code';
  return { status: isFalse ? 'false_positive' : 'accepted_risk', reason: reasons.join('; ') || `Suppressed ${where}.` };
}
