import { isOpen } from '../../findings/lifecycle.ts';
import { neededVersion } from '../analysis/needed-version.ts';
import { adviceIn, remediationFor } from '../mappings/remediations.ts';
import type { Inline as MarkdownInline } from '../markdown.ts';
import { plainText } from '../plain-text.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { lettersOf } from './blocks.ts';
import { findingsOf, type Group } from './groups.ts';
import { flatMarkdown, shortened } from './texts.ts';

/**
 * Returns advice on the open findings of a group, or on all of them if none is open, in the same order of preference as
 * the list of actions: the upgrade that fixes a package, the tool's advice, or general advice for such problems. The
 * result is one paragraph of at most `max` characters.
 */
export function adviceFor(group: Group, head: ReportHead, max: number): MarkdownInline[] {
  const words = wordingOf(head);
  const { language } = head.document;
  const all = findingsOf(group);
  const open = all.filter(({ status }) => isOpen(status));
  const findings = open.length > 0 ? open : all;
  const texts = [
    group.package ? upgrade(group.package, findings, words) : null,
    ...findings.map(({ remediation }) => remediation && adviceIn(remediation, language)),
    ...(group.package ? [words.say('card.no_fix')] : []),
    remediationFor(findings[0]!, language),
  ];
  for (const value of texts) {
    const advice = flatMarkdown(shortened((value ?? '').trim(), max));
    if (lettersOf(advice).trim() !== '') return advice;
  }
  return [];
}

/** Returns the upgrade that fixes all findings of a package; null if no fixed version is known. */
function upgrade(
  { ecosystem, name }: NonNullable<Group['package']>,
  findings: ReportFinding[],
  { say }: Wording,
): string | null {
  const pairs = findings.flatMap(({ location }) =>
    location.package?.fixed_version
      ? [{ version: location.package.version, fixed: location.package.fixed_version }]
      : [],
  );
  const version = neededVersion(ecosystem, pairs);
  if (version === null) return null;
  const without = findings.length - pairs.length;
  const rest = without === 0 ? '' : say('card.unfixed', { n: without });
  const values = {
    name: plainText(name, { line: true, max: 80 }),
    version: plainText(version, { line: true, max: 60 }),
  };
  return say('card.upgrade', values) + rest;
}
