import type { Severity } from '../../../findings/severity.ts';
import { severityColors, severityNames } from '../../labels.ts';
import { type Narrative, narrate } from '../../narrative.ts';
import type { ReportHead } from '../../report-model.ts';
import { type ContentsEntry, contentsHeading } from './contents.ts';
import { detailedBySeverity } from './findings.ts';
import { markdownParagraphs } from './markdown.ts';
import { paragraph, textParagraph } from './paragraph.ts';
import { linkLook, type References } from './references.ts';
import { run } from './run.ts';
import { table } from './table.ts';
import { hex, type Xml } from './xml.ts';

const firstSteps: ContentsEntry = { level: 2, text: 'What to do first', bookmark: 'first_steps' };
const openLongest: ContentsEntry = { level: 2, text: 'Oldest open findings', bookmark: 'open_longest' };

/** Returns the headings of the executive summary. */
export const summaryEntries = (head: ReportHead): ContentsEntry[] => [
  ...(head.first_steps.length > 0 ? [firstSteps] : []),
  ...(head.oldest_open.length > 0 ? [openLongest] : []),
];

/** Returns the executive summary, with links to the findings that the document shows in detail. */
export function executiveSummary(head: ReportHead, references: References): Xml {
  const { lead, paragraphs, figures, steps, oldest } = narrate(head);
  const detailed = surelyDetailed(head);
  const linked = (id: string, text: string) =>
    detailed.has(id) ? references.innerLink(id, run(text, linkLook)) : run(text);
  return [
    textParagraph('Lead', lead),
    figures.length > 0 ? keyFigures(figures) : '',
    ...paragraphs.map((text) => textParagraph('BodyText', text)),
    steps.length > 0 ? contentsHeading(firstSteps, references) : '',
    ...steps.map((step, index) => stepXml(step, index, references, linked)),
    oldest.length > 0 ? contentsHeading(openLongest, references) : '',
    ...oldest.map((finding) => {
      const severity = run(`${severityNames[finding.severity]}: `, {
        bold: true,
        color: hex(severityColors[finding.severity]),
      });
      const title = linked(finding.finding_id, finding.title);
      return paragraph('ListBullet', `${severity}${title}${run(`\n${finding.detail}`)}`, { list: 0 });
    }),
  ].join('');
}

/** Returns the findings of the summary whose severity the document shows completely. */
function surelyDetailed(head: ReportHead): Set<string> {
  const detailed = detailedBySeverity(head);
  const isWhole = (severity: Severity) => detailed[severity] === head.summary.by_severity[severity];
  const steps = head.first_steps.filter((step) => isWhole(step.severity)).map((step) => step.finding_id);
  const oldest = head.oldest_open.filter((finding) => isWhole(finding.severity)).map((finding) => finding.id);
  return new Set([...steps, ...oldest]);
}

/** Returns the key figures side by side, as a table with a column for each. */
function keyFigures(figures: Narrative['figures']): Xml {
  const width = Math.floor(9_600 / figures.length);
  const row = (style: string, texts: string[]) => texts.map((text) => ({ content: textParagraph(style, text) }));
  return (
    table({
      style: 'Tiles',
      widths: figures.map(() => width),
      header: row(
        'TileLabel',
        figures.map((figure) => figure.label),
      ),
      rows: [
        row(
          'TileValue',
          figures.map((figure) => figure.value),
        ),
        row(
          'TileNote',
          figures.map((figure) => figure.note),
        ),
      ],
      description: 'Key figures',
    }) + textParagraph('Note', 'Open findings are new, triaged or in progress.')
  );
}

function stepXml(
  step: Narrative['steps'][number],
  index: number,
  references: References,
  linked: (id: string, text: string) => Xml,
): Xml {
  return [
    textParagraph('Heading3', `${index + 1}. ${step.title}`),
    paragraph('BodyText', run(`${step.why} `) + linked(step.finding_id, `Example: ${step.finding_id}`)),
    step.remediation ? markdownParagraphs(step.remediation, references) : '',
  ].join('');
}
