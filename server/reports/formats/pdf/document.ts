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

/** Above so many findings the contents list their groups alone; the outline of the file has them all. */
const findingsInContents = 40;

/** All that the template sets, as JSON: phrases, figures and trees, in the order of the pages. */
export function documentOf(head: ReportHead, findings: ReportFinding[]) {
  const title = lineOf(head.title, 120);
  const organization = lineOf(head.organization.name, 80);
  return {
    title: `${organization}: ${title}`,
    author: organization,
    running: words(`${lineOf(organization, 40)} · ${lineOf(title, 60)}`),
    date: formatDay(head.taken_at),
    confidential: `Confidential. For ${organization} and whom it hands this to.`,
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

/** The whole remediation stands with the finding; a step is not torn over two pages. */
const longestStep = 600;

function summary(head: ReportHead, detailed: Set<string>) {
  const { lead, paragraphs, figures, steps, oldest } = narrate(head);
  // A link to what isn't in the document would fail: only the most severe findings are told of in detail.
  const target = (id: string) => (detailed.has(id) ? id : null);
  return {
    lead: words(lead),
    paragraphs: paragraphs.map((paragraph) => words(paragraph)),
    figures: figures.map(({ label, value, note }) => ({ label, value, note: words(note) })),
    steps: steps.map((step) => ({
      title: words(step.title),
      why: words(step.why),
      remediation: step.remediation === null ? [] : richMarkdown(shorten(step.remediation, longestStep)),
      finding: target(step.finding_id),
    })),
    oldest: oldest.map((one) => ({
      title: words(one.title),
      detail: words(one.detail),
      severity: { name: severityNames[one.severity], color: severityColors[one.severity] },
      finding: target(one.finding_id),
    })),
  };
}

/** The whole width of the text, which is 640 units of a chart. */
const fullWidth = 640;
const pointsPerUnit = 0.735;

/** Charts of half the width stand two in a row. */
function chartRows(charts: Chart[]) {
  const rows: Chart[][] = [];
  for (const chart of charts) {
    const row = rows.at(-1);
    const room = fullWidth - (row ?? []).reduce((width, one) => width + one.width, 0);
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
