import type { Suppression } from '../../../contract/suppression.ts';
import { isAboutSecret, redactTexts } from '../../../detectors/secrets/redact-text.ts';
import { codeResult } from '../../code-result.ts';
import { readExcerpts } from '../../excerpts.ts';
import type { ReadContext, ReadDetection } from '../../format.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import type { JsonObject } from '../../json/json.ts';
import { secretResult } from '../../secret-result.ts';
import { firstSentence } from '../../titles.ts';
import { object, objects, text } from '../../values.ts';
import { excerptsOf } from './sarif-excerpts.ts';
import { toolIdentity } from './sarif-identity.ts';
import { readLocation, type SarifLocation, type SarifRun } from './sarif-location.ts';
import { messageOf } from './sarif-message.ts';
import { findRule, maxHelp, type SarifRule, taxon, weaknessesIn } from './sarif-rules.ts';
import { sarifScore, sarifSeverity } from './sarif-severity.ts';

const maxMessage = 5_000;
const maxRuleText = 2_000;

/** Tools whose every result is a secret: their snippets are the secrets themselves. */
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

/** Tools that list all places of a rule as locations of one result, although each is a problem of its own (libsast). */
const listingTools = new Set(['nodejsscan', 'njsscan', 'mobsfscan']);

/** Returns the problems that a result reports: usually one, in all of its locations. */
export function problemsOf(result: JsonObject, source: string): JsonObject[] {
  const locations = objects(result.locations);
  return listingTools.has(source) && locations.length > 1
    ? locations.map((location) => ({ ...result, locations: [location] }))
    : [result];
}

/** Whether a result reports a problem that exists now: not a pass, nor one that is absent since the baseline. */
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
      remediation: rule?.help === rule?.full ? undefined : rule?.help,
      suppression: suppressionOf(result, own?.status),
    },
    context,
  );
  const title = own?.title === undefined ? detection.title : redactTexts([own.title])[0]!;
  const given = excerptsOf(result, rule, run, context);
  const { start_line, end_line } = lines;
  const place = { path, start_line, end_line, start_column: locations[0]?.start_column ?? null };
  // Assay has redacted its own lines.
  const literals = run.tool.name !== 'Assay' && isAboutSecret(identifiers, id);
  const excerpts = given && readExcerpts(given, place, literals, context);
  return { ...detection, ...excerpts, title, identity: toolIdentity(result, id, path ?? '') ?? detection.identity };
}

/**
 * Assay's own reports carry facts on each result that SARIF has only for rules, or not at all; their texts are
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
      // Secret scanners seldom set a level, and SARIF's default is too low for a secret in clear text.
      severity:
        result.level === undefined && rule?.level === undefined ? 'high' : sarifSeverity(result, rule, run.source),
    },
    context,
  );
  return { ...found, suppression: suppressionOf(result) };
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
