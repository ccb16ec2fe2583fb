import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-template.ts';
import type { ReportFormatName } from '../formats/index.ts';
import { formatNumber } from '../labels.ts';
import { narrate, selectionSentence } from '../narrative.ts';
import { plainText } from '../plain-text.ts';
import type { DeliveredReport } from './delivery-queries.ts';

/** The file of a report: with `content` it is attached, without it is linked to. */
export type DeliveredFile = { filename: string; contentType: string; size: number; content: Buffer | null };

const name = (text: string) => plainText(text, { line: true, max: 120 });

function sizeText(bytes: number): string {
  const megabytes = bytes / 2 ** 20;
  if (megabytes >= 1) return `${formatNumber(Number(megabytes.toFixed(1)))} MiB`;
  return `${formatNumber(Math.ceil(bytes / 1024))} KiB`;
}

/** Returns the page of a report in the console, which asks for a sign-in and then downloads the file. */
const downloadUrl = (baseUrl: string, reportId: string, format: ReportFormatName) =>
  `${new URL(baseUrl).origin}/reports/${reportId}?download=${format}`;

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
  const { lead, figures, paragraphs } = narrate(head);
  const title = name(head.title);
  const mail = composeMail({
    subject: `${title} – ${name(head.organization.name)}`,
    sender: 'Assay',
    heading: title,
    lead,
    figures,
    // For a report without findings, the narrative explains what that means.
    paragraphs: [
      ...(head.summary.total === 0 ? paragraphs : []),
      selectionSentence(head),
      whereItIs(file, name(head.organization.name)),
    ],
    ...(file.content === null && {
      action: { label: 'Download the report', url: downloadUrl(baseUrl, head.id, format) },
    }),
    footer: footer(report),
  });
  const { filename, contentType, content } = file;
  return { to, ...mail, ...(content && { attachments: [{ filename, contentType, content }] }) };
}
