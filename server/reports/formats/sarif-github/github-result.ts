import { levels, toRule } from '../../../detection/path-scan/output/sarif-parts.ts';
import type { ReportFinding } from '../../report-model.ts';
import { placesOf, toGithubLocation } from './github-location.ts';
import { githubLimits } from './limits.ts';

/** Rules of different tools may share an id, so the tool is part of it. */
export const ruleIdOf = ({ source, rule }: ReportFinding): string => `${source}/${rule.id}`;

const maxMessageLength = 4_000;

const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** Returns the first text that is not empty: GitHub accepts no empty text where it requires one. */
const firstOf = (...texts: Array<string | null | undefined>): string =>
  texts.find((text) => text !== null && text !== undefined && text.trim() !== '') ?? 'Not described.';

/** Returns the rule of a finding, with all that GitHub requires and within the lengths that it shows. */
export function toGithubRule(finding: ReportFinding) {
  const { rule, description, remediation, severity } = finding;
  const { helpUri, properties } = toRule(finding);
  const { ruleNameLength, ruleDescriptionLength, shownTagsPerRule } = githubLimits;
  const name = firstOf(rule.name, rule.id);
  const { 'security-severity': score } = properties;
  return {
    id: ruleIdOf(finding),
    name: shorten(name, ruleNameLength),
    shortDescription: { text: shorten(name, ruleDescriptionLength) },
    fullDescription: { text: shorten(firstOf(description, name), ruleDescriptionLength) },
    help: { text: firstOf(remediation, description, name), markdown: firstOf(remediation, description, name) },
    ...(helpUri ? { helpUri } : {}),
    defaultConfiguration: { level: levels[severity].level },
    properties: {
      tags: properties.tags.slice(0, shownTagsPerRule),
      // Zero means no severity; a rule without a score is not shown as one of security.
      ...(Number(score) > 0 ? { 'security-severity': score } : {}),
    },
  };
}

/** Returns an open finding as a result; null when it is in no file. */
export function toGithubResult(finding: ReportFinding, ruleIndex: number) {
  const [first, ...others] = placesOf(finding).slice(0, githubLimits.locationsPerResult);
  if (first === undefined) return null;
  const { title, description, severity, fingerprint, source } = finding;
  const text = description.trim() === '' ? firstOf(title) : `${firstOf(title)}\n\n${description}`;
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex,
    level: levels[severity].level,
    message: { text: shorten(text, maxMessageLength) },
    locations: [toGithubLocation(first)],
    ...(others.length > 0 ? { relatedLocations: others.map(toGithubLocation) } : {}),
    // The only one by which GitHub recognizes a result of an earlier upload.
    partialFingerprints: { primaryLocationLineHash: `${source}:${fingerprint}` },
    properties: {
      finding: finding.id,
      severity,
      status: finding.status,
      firstSeenAt: finding.first_seen_at,
      ...(finding.due_at === null ? {} : { dueAt: finding.due_at }),
    },
  };
}
