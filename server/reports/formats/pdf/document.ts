import { type Chart, drawCharts } from '../../charts/index.ts';
import {
  accentColor,
  formatDay,
  inkColor,
  mutedColor,
  ruleColor,
  severityColors,
  severityNames,
} from '../../labels.ts';
import { narrate } from '../../narrative.ts';
import { shorten } from '../../plain-text.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import { appendix } from './appendix.ts';
import { cover } from './cover.ts';
import { groupNotes, groups } from './groups.ts';
import { richMarkdown } from './rich.ts';
import { figureTables } from './tables.ts';
import { lineOf, words } from './text.ts';

/** With more findings, the contents list only their groups; the outline of the file lists them all. */
const findingsInContents = 40;

/** Returns the data of the template: texts, figures and trees, in the order of the pages. */
export function documentOf(head: ReportHead, findings: ReportFinding[]) {
  const title = lineOf(head.title, 120);
  const organization = lineOf(head.organization.name, 80);
  return {
    title: `${organization}: ${title}`,
    author: organization,
    running: words(`${lineOf(organization, 40)} · ${lineOf(title, 60)}`),
    date: formatDay(head.taken_at),
    confidential: `Confidential. For ${organization} and its authorized recipients.`,
    colors: { accent: accentColor, ink: inkColor, muted: mutedColor, rule: ruleColor },
    'findings-in-contents': findings.length <= findingsInContents,
    cover: cover(head, title, organization),
    summary: summary(head, new Set(findings.map((finding) => finding.id))),
    charts: head.summary.total === 0 ? [] : chartRows(drawCharts(head)),
    tables: figureTables(head),
    findings: { notes: groupNotes(head, findings.length), groups: groups(head, findings) },
    appendix: appendix(head),
  };
}

/** Longer remediations are shortened, because a step must fit on a page; the finding shows the full text. */
const maxStep = 600;

function summary(head: ReportHead, detailed: Set<string>) {
  const { lead, paragraphs, figures, steps, oldest } = narrate(head);
  // A link to a missing target would fail: only the most severe findings are shown in detail.
  const target = (id: string) => (detailed.has(id) ? id : null);
  return {
    lead: words(lead),
    paragraphs: paragraphs.map((paragraph) => words(paragraph)),
    figures: figures.map(({ label, value, note }) => ({ label, value, note: words(note) })),
    steps: steps.map((step) => ({
      title: words(step.title),
      why: words(step.why),
      remediation: step.remediation === null ? [] : richMarkdown(shorten(step.remediation, maxStep)),
      finding: target(step.finding_id),
    })),
    oldest: oldest.map((finding) => ({
      title: words(finding.title),
      detail: words(finding.detail),
      severity: { name: severityNames[finding.severity], color: severityColors[finding.severity] },
      finding: target(finding.finding_id),
    })),
  };
}

/** The full width of the text, in units of a chart. */
const fullWidth = 640;
const pointsPerUnit = 0.735;

/** Places charts of half the width two in a row. */
function chartRows(charts: Chart[]) {
  const rows: Chart[][] = [];
  for (const chart of charts) {
    const row = rows.at(-1);
    const room = fullWidth - (row ?? []).reduce((width, placed) => width + placed.width, 0);
    if (row && chart.width <= room) row.push(chart);
    else rows.push([chart]);
  }
  return rows.map((row) =>
    row.map(({ caption, alternative, svg, width }) => ({
      caption: words(caption),
      alternative,
      svg,
      width: width * pointsPerUnit,
    })),
  );
}
