import { severities } from '../../findings/severity.ts';
import { drawCharts } from '../charts/index.ts';
import { rasterize } from '../charts/raster.ts';
import { fontFiles } from '../fonts.ts';
import type { ReportHead, ReportModel } from '../report-model.ts';
import { appendixXml } from './docx/appendix.ts';
import { type ContentsEntry, contents, contentsHeading } from './docx/contents.ts';
import { cover } from './docx/cover.ts';
import { type Figure, figures } from './docx/figures.ts';
import { detailedBySeverity, findingsXml, severityEntry } from './docx/findings.ts';
import { makeFrame } from './docx/frame.ts';
import { References } from './docx/references.ts';
import { executiveSummary, summaryEntries } from './docx/summary.ts';
import { summaryTables } from './docx/summary-tables.ts';
import type { Xml } from './docx/xml.ts';
import { type PackageFile, zipped } from './docx/zip.ts';
import type { ReportWriter } from './format.ts';

/** Pixels per unit of a chart, enough to be sharp in print. */
const scale = 2;

const sections = {
  summary: { level: 1, text: 'Executive summary', bookmark: 'summary' },
  figures: { level: 1, text: 'Charts', bookmark: 'charts' },
  tables: { level: 1, text: 'Findings in numbers', bookmark: 'tables', samePage: true },
  findings: { level: 1, text: 'Findings', bookmark: 'findings' },
  appendix: { level: 1, text: 'How to read this report', bookmark: 'appendix' },
} satisfies Record<string, ContentsEntry>;

/** Writes the report as a Word document (Office Open XML), with the details of its most severe findings. */
export const writeDocx: ReportWriter = async function* (report) {
  yield* zipped(packageFiles(report));
};

async function* packageFiles(report: ReportModel): AsyncGenerator<PackageFile> {
  const { parts, before, after } = await makeFrame(report.head);
  const references = new References();
  const drawn = draw(report.head);
  const relationships = 'word/_rels/document.xml.rels';
  yield { path: '[Content_Types].xml', content: parts.get('[Content_Types].xml')! };
  for (const [path, content] of parts)
    if (path !== '[Content_Types].xml' && path !== relationships) yield { path, content };
  for (const { name, png } of drawn) yield { path: `word/media/${name}`, content: png };
  yield { path: 'word/document.xml', content: documentXml(report, drawn, references, before, after) };
  // Written last, because the findings add relationships.
  const rest = `${references.relationships()}</Relationships>`;
  yield { path: relationships, content: parts.get(relationships)!.replace('</Relationships>', () => rest) };
}

const draw = (head: ReportHead): Figure[] =>
  drawCharts(head).map((chart) => ({
    chart,
    name: `${chart.id.replaceAll('_', '-')}.png`,
    png: rasterize(chart, scale, fontFiles()),
  }));

async function* documentXml(
  report: ReportModel,
  drawn: Figure[],
  references: References,
  before: Xml,
  after: Xml,
): AsyncGenerator<Xml> {
  const { head } = report;
  yield before + cover(head) + contents(contentsEntries(head, drawn), references);
  yield contentsHeading(sections.summary, references) + executiveSummary(head, references);
  if (drawn.length > 0) yield contentsHeading(sections.figures, references) + figures(drawn, references);
  if (head.summary.total > 0) yield contentsHeading(sections.tables, references) + summaryTables(head, references);
  // Without findings, everything fits on one page.
  const samePage = head.summary.total === 0;
  yield contentsHeading({ ...sections.findings, samePage }, references);
  yield* findingsXml(report, references);
  yield contentsHeading({ ...sections.appendix, samePage }, references) + appendixXml(head, references) + after;
}

function contentsEntries(head: ReportHead, drawn: Figure[]): ContentsEntry[] {
  const detailed = detailedBySeverity(head);
  return [
    sections.summary,
    ...summaryEntries(head),
    ...(drawn.length > 0 ? [sections.figures] : []),
    ...(head.summary.total > 0 ? [sections.tables] : []),
    sections.findings,
    ...severities.filter((severity) => detailed[severity] > 0).map((severity) => severityEntry(severity, head)),
    sections.appendix,
  ];
}
