import type { Severity } from '@assay/scanner/contract/severity.ts';
import { standardsLine } from '../../findings/standards/standards.ts';
import { isReadable, readableName } from '../analysis/readable-name.ts';
import { plainText, shorten } from '../plain-text.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { adviceFor } from './advice.ts';
import { type Block, heading, type Inline, link, note, paragraph, severityBadge, strong, text } from './blocks.ts';
import { isUnnamed, separator } from './facts.ts';
import { advisoryOf, findingsOf, type Group, numbersOf } from './groups.ts';
import { placeLines, placeTable } from './places.ts';
import type { Targets } from './targets.ts';
import { asEvidence, evidenceOf, flatMarkdown, isSaid, lineOf, newParagraphs, shortened } from './texts.ts';

const maxTitle = 100;
/** The maximum length of all references of a card. */
const maxReferences = 60;

/** The limits of a card's texts, by its severity; evidence is limited in lines per place. */
type Room = { description: number; remediation: number; evidence: number; references: number };
const roomFor: Record<Severity, Room> = {
  critical: { description: 340, remediation: 260, evidence: 3, references: 5 },
  high: { description: 260, remediation: 220, evidence: 2, references: 5 },
  medium: { description: 170, remediation: 160, evidence: 1, references: 3 },
  low: { description: 140, remediation: 140, evidence: 1, references: 2 },
  info: { description: 140, remediation: 140, evidence: 1, references: 2 },
};
const shownAdvisories = 2;

/** Returns a readable title for the findings of a package or rule. */
export function titleOf(group: Group, { say }: Wording): string {
  const findings = findingsOf(group);
  const first = findings[0]!;
  if (group.package === null) return lineOf(readableName(first), maxTitle);
  const name = lineOf(group.package.name, 80);
  const advisories = advisoriesOf(findings);
  return advisories.length > 1
    ? say('card.vulnerabilities', { name, n: advisories.length })
    : lineOf(`${name}: ${summaryOf(first)}`, maxTitle);
}

/** The advisories of a package's findings, most severe first. */
const advisoriesOf = (findings: ReportFinding[]): ReportFinding[] => [
  ...new Map(findings.map((finding) => [advisoryOf(finding), finding])).values(),
];

/** Returns the subject of an advisory, without repeating the package and its version. */
function summaryOf(finding: ReportFinding): string {
  const id = advisoryOf(finding);
  const name = [finding.rule.name, finding.title.replace(/^[^:]*\bin\b[^:]*:\s*/, '')].find(
    (value) => isReadable(value) && !value.startsWith(id),
  );
  return name ? `${name} (${id})` : id;
}

/** Returns a card: the problem and its fix once, then at most `maxRows` of the places. */
export function cardBlocks(
  group: Group,
  head: ReportHead,
  targets: Targets,
  maxRows = Number.POSITIVE_INFINITY,
): Block[] {
  const words = wordingOf(head);
  const findings = findingsOf(group);
  const room = roomFor[group.severity];
  const found = adviceFor(group, head, room.remediation);
  const advice = found.length > 0 ? [strong(words.say('card.what_to_do')), ...found] : [];
  const links = references(findings, room, words);
  const what = [...factLine(group, findings, head), text('  '), ...description(group, findings, room, words)];
  const parts = [
    heading(3, group.id, titleOf(group, words), { severity: group.severity, aside: numbersOf(group.rows.flat()) }),
    paragraph(advice.length > 0 ? what : [...what, ...links], 'card'),
    ...(advice.length > 0 ? [paragraph([...advice, ...links], 'card')] : []),
  ];
  // One or two places are lines: a table would be taller than the rest of the card.
  const isTable = group.rows.length > 2;
  return [
    { kind: 'together', withNext: isTable, blocks: isTable ? parts : [...parts, ...placeLines(group, head, targets)] },
    ...(isTable ? placeTable(group, head, targets, maxRows) : []),
    ...evidence(group, room),
  ];
}

/** Returns the facts that all places share. */
function factLine(group: Group, findings: ReportFinding[], head: ReportHead): Inline[] {
  const names = head.source_names;
  const words = wordingOf(head);
  const first = findings[0]!;
  const weaknesses = distinct(findings.flatMap(({ identifiers }) => identifiers.filter((id) => /^CWE-/i.test(id))));
  const scores = findings.flatMap(({ cvss_score: score }) => (score === null ? [] : [score]));
  const tools = distinct(findings.map(({ source }) => lineOf(names[source] ?? source, 40)));
  const facts = [
    group.package ? packageFact(group.package, findings, words) : ruleFact(first),
    weaknesses.length > 0 ? someOf(weaknesses, 3, words) : '',
    standardsLine(findings.flatMap(({ standards }) => standards)),
    scores.length > 0 ? `CVSS ${Math.max(...scores).toFixed(1)}` : '',
    words.say('card.found_by', { tools: someOf(tools, 3, words) }),
  ];
  return [severityBadge(group.severity), text('  '), note(facts.filter((fact) => fact !== '').join(' · '))];
}

/** Returns the id of a rule, or an empty string if the tool reports a sentence as the id. */
const ruleFact = ({ rule: { id } }: ReportFinding): string => (/\s/.test(id.trim()) ? '' : lineOf(id, 70));

function packageFact({ ecosystem }: NonNullable<Group['package']>, findings: ReportFinding[], words: Wording): string {
  const versions = distinct(findings.flatMap(({ location }) => location.package?.version ?? []));
  const kind = isUnnamed(ecosystem)
    ? words.say('card.package')
    : words.say('card.package_of', { ecosystem: lineOf(ecosystem, 30) });
  const shown = versions.map((version) => lineOf(version, 40));
  if (shown.length === 0) return kind;
  return words.say('card.in_version', { package: kind, versions: someOf(shown, 4, words) });
}

const distinct = (values: string[]): string[] => [...new Set(values)];
const someOf = (values: string[], max: number, { say, list }: Wording): string => {
  const others = values.length - max;
  return list(others > 0 ? [...values.slice(0, max), say('count.more', { n: others })] : values);
};

function description(group: Group, findings: ReportFinding[], room: Room, words: Wording): Inline[] {
  const advisories = group.package ? advisoriesOf(findings) : [];
  if (advisories.length > 1) {
    const known = advisories.map(summaryOf).filter((summary) => summary.includes(' '));
    if (known.length === 0) return [];
    const first = known.slice(0, shownAdvisories).map((summary) => lineOf(summary, 100));
    return [text(words.say('card.most_severe', { list: first.join('; ') }))];
  }
  const title = titleOf(group, words);
  for (const { description, rule, title: own } of findings) {
    const said = [title, rule.id, ...(group.package ? [own] : [])];
    const value = newParagraphs(description, said);
    if (value !== '') return flatMarkdown(shortened(value, room.description));
  }
  const { name } = findings[0]!.rule;
  return isSaid(name, [title])
    ? []
    : flatMarkdown(shortened(newParagraphs(name, [findings[0]!.rule.id]), room.description));
}

/** Returns the first references as links that show the start of their address. */
function references(findings: ReportFinding[], room: Room, { say }: Wording): Inline[] {
  const all = distinct(findings.flatMap(({ rule, references: own }) => [...(rule.url ? [rule.url] : []), ...own]));
  const shown: Inline[] = [];
  let letters = 0;
  for (const address of all.slice(0, room.references)) {
    const label = shorten(plainText(address, { line: true }).replace(/^https?:\/\/(www\.)?/i, ''), 46);
    letters += label.length;
    if (letters > maxReferences && shown.length > 0) break;
    shown.push(link(address, label));
  }
  if (shown.length === 0) return [];
  const others = all.length - shown.length;
  return [
    note(say('card.references')),
    ...shown.flatMap((inline, index) => (index > 0 ? [separator, inline] : [inline])),
    ...(others > 0 ? [note(say('card.more_references', { n: others }))] : []),
  ];
}

/** Returns the first lines of the evidence of at most three places, without duplicates. */
function evidence(group: Group, room: Room): Block[] {
  const shown = new Map<string, string>();
  for (const { number, finding } of group.rows.flat()) {
    const value = plainText(evidenceOf(finding)).trim();
    if (value !== '' && !shown.has(value)) shown.set(value, number);
    if (shown.size === room.evidence) break;
  }
  if (shown.size === 0) return [];
  const lines = [...shown].map(([value, number]) => `${number}  ${firstLines(value, room.evidence)}`);
  return [{ kind: 'evidence', label: null, text: asEvidence(lines.join('\n')), dense: true }];
}

function firstLines(value: string, max: number): string {
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const shown = shortened(lines.slice(0, max).join('\n'), max * 110);
  return lines.length > max && !shown.endsWith('[…]') ? `${shown} […]` : shown;
}
