import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-template.ts';
import type { KeyFigure } from '../analysis/analysis-model.ts';
import type { ReportFormatName } from '../formats/index.ts';
import { formatNumber } from '../labels.ts';
import { narrate, selectionSentence } from '../narrative.ts';
import { plainText } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { describeAnalysis, isAnalysed } from '../sentences/describe-analysis.ts';
import type { DeliveredReport } from './delivery-queries.ts';

/** The file of a report: with `content` it is attached, without it is linked to. */
export type DeliveredFile = { filename: string; contentType: string; size: number; content: Buffer | null };

const name = (text: string) => plainText(text, { line: true, max: 120 });

function sizeText(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  if (megabytes >= 1) return `${formatNumber(Number(megabytes.toFixed(1)))} MiB`;
  return `${formatNumber(Math.ceil(bytes / 1024))} KiB`;
}

/** Returns the page of a report in the console, which asks for a sign-in. */
const pageUrl = (baseUrl: string, reportId: string) => `${new URL(baseUrl).origin}/reports/${reportId}`;

/** Returns the page of a report that also downloads the file. */
const downloadUrl = (baseUrl: string, reportId: string, format: ReportFormatName) =>
  `${pageUrl(baseUrl, reportId)}?download=${format}`;

const shownSteps = 3;

/** Returns what a reader sees first: the verdict and what changed, the first actions, and the key figures. */
function keyPoints(given: ReportHead, baseUrl: string) {
  // The words around it are in English.
  const head = { ...given, document: { ...given.document, language: 'en' as const } };
  const narrative = narrate(head);
  // For a report without findings, the narrative explains what that means.
  const paragraphs = head.summary.total === 0 ? narrative.paragraphs : [];
  const stepsOf = (items: Array<{ title: string; detail: string; finding_id: string }>) =>
    items.length === 0
      ? {}
      : {
          steps: {
            heading: 'What to do first',
            items: items.slice(0, shownSteps).map(({ title, detail, finding_id: id }) => ({
              title,
              detail,
              url: `${new URL(baseUrl).origin}/findings/${id}`,
            })),
          },
        };
  if (!isAnalysed(head) || head.summary.total === 0) {
    const { lead, figures, steps } = narrative;
    return { subject: '', lead, figures, paragraphs, ...stepsOf(steps.map((step) => ({ ...step, detail: step.why }))) };
  }
  const text = describeAnalysis(head);
  return {
    subject: severeFigure(head.analysis.key_figures.open_critical_high),
    lead: text.verdict,
    figures: text.figures.map(({ label, value, change }) => ({ label, value, ...(change !== '' && { note: change }) })),
    paragraphs: [text.changes],
    ...stepsOf(text.actions),
  };
}

/** Returns the figure for the subject, with its change: `7 critical or high open (-3)`. */
function severeFigure({ value, change }: KeyFigure): string {
  if (value === null) return '';
  const changed =
    change === null
      ? ''
      : ` (${change === 0 ? 'unchanged' : `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`})`;
  return `${value === 0 ? 'no' : formatNumber(value)} critical or high open${changed}`;
}

function whereItIs(file: DeliveredFile, organization: string): string {
  const size = sizeText(file.size);
  return file.content
    ? `The report is attached: ${file.filename}, ${size}.`
    : `The report is too large to attach (${size}). Sign in as a member of ${organization} to download it; if you have no account, ask the people named below.`;
}

function footer({ head, creator }: DeliveredReport): string[] {
  const organization = name(head.organization.name);
  const kind = head.scheduled_report_id === null ? 'report' : 'scheduled report';
  const by = creator ? `${name(creator.name)} (${creator.email})` : null;
  return [
    `You receive this email because you are a recipient of the ${kind} “${name(head.title)}” of ${organization} on Assay.`,
    `To stop receiving it, ask ${by ? `${by} or another` : 'an'} administrator of ${organization}.`,
  ];
}

/** Returns the mail of a report: its key points, and the file or a link to it. */
export function deliveryMail(
  report: DeliveredReport,
  file: DeliveredFile,
  { to, baseUrl }: { to: string; baseUrl: string },
): Mail {
  const { head, format } = report;
  const { subject, ...points } = keyPoints(head, baseUrl);
  const title = name(head.title);
  const mail = composeMail({
    subject: [title, subject, name(head.organization.name)].filter((part) => part !== '').join(' – '),
    sender: 'Assay',
    heading: title,
    ...points,
    paragraphs: [...points.paragraphs, selectionSentence(head), whereItIs(file, name(head.organization.name))],
    action:
      file.content === null
        ? { label: 'Download the report', url: downloadUrl(baseUrl, head.id, format) }
        : { label: 'Open the report in Assay', url: pageUrl(baseUrl, head.id) },
    footer: footer(report),
  });
  const { filename, contentType, content } = file;
  return { to, ...mail, ...(content && { attachments: [{ filename, contentType, content }] }) };
}
