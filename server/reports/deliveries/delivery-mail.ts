import { findingUrl } from '../../findings/finding-schema.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-template.ts';
import type { KeyFigure } from '../analysis-model.ts';
import { actionDetail, actionTitle } from '../document/actions.ts';
import { changeSentence } from '../document/changes.ts';
import { sixFigures, verdict } from '../document/verdict.ts';
import type { DeliveredReport } from '../exports/delivery-queries.ts';
import { narrate, selectionSentence } from '../narrative.ts';
import { plainText } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { ReportFormatName } from '../writers/index.ts';

/** The file of a report: attached if it has `content`, linked to otherwise. */
export type DeliveredFile = { filename: string; contentType: string; size: number; content: Buffer | null };

const name = (text: string) => plainText(text, { line: true, max: 120 });

function sizeText(bytes: number, { number }: Wording): string {
  const megabytes = bytes / 2 ** 20;
  return megabytes >= 1 ? `${number(Number(megabytes.toFixed(1)))} MiB` : `${number(Math.ceil(bytes / 1024))} KiB`;
}

/** Returns the console page of a report, which requires a sign-in. */
const pageUrl = (baseUrl: string, reportId: string) => `${new URL(baseUrl).origin}/reports/${reportId}`;

/** Returns the console page of a report that also downloads the file. */
const downloadUrl = (baseUrl: string, reportId: string, format: ReportFormatName) =>
  `${pageUrl(baseUrl, reportId)}?download=${format}`;

const shownSteps = 3;

type Step = { title: string; detail: string; finding_id: string };

/** Returns the main points for the reader: the verdict and the changes, the first actions, and the key figures. */
function keyPoints(head: ReportHead, baseUrl: string) {
  const words = wordingOf(head);
  const { analysis } = head;
  const stepsOf = (items: Step[]) =>
    items.length === 0
      ? {}
      : {
          steps: {
            heading: words.say('heading.first_steps'),
            items: items.slice(0, shownSteps).map(({ title, detail, finding_id: id }) => ({
              title,
              detail,
              url: findingUrl(baseUrl, id),
            })),
          },
        };
  if (!analysis || head.summary.total === 0) {
    const { lead, figures, steps, paragraphs } = narrate(head);
    return {
      subject: '',
      lead,
      figures,
      // For a report without findings, the narrative explains the empty result.
      paragraphs: head.summary.total === 0 ? paragraphs : [],
      ...stepsOf(steps.map((step) => ({ ...step, detail: step.why }))),
    };
  }
  return {
    subject: severeFigure(analysis.key_figures.open_critical_high, words),
    lead: verdict(head),
    figures: sixFigures(head),
    paragraphs: [changeSentence(head)],
    ...stepsOf(
      analysis.actions.first.map((action) => ({
        title: actionTitle(action, words),
        detail: actionDetail(action, words),
        finding_id: action.finding_id,
      })),
    ),
  };
}

/** Returns the figure for the subject, with its change: `7 critical or high open (−3)`. */
function severeFigure({ value, change: difference }: KeyFigure, { say, signed }: Wording): string {
  if (value === null) return '';
  const change =
    difference === null
      ? ''
      : difference === 0
        ? say('mail.unchanged')
        : say('mail.change', { change: signed(difference) });
  return value === 0 ? say('mail.no_severe', { change }) : say('mail.severe', { n: value, change });
}

function whereItIs(file: DeliveredFile, organization: string, words: Wording): string {
  const size = sizeText(file.size, words);
  return file.content
    ? words.say('mail.attached', { file: file.filename, size })
    : words.say('mail.too_large', { size, organization });
}

function footer({ head, creator }: DeliveredReport): string[] {
  const { say } = wordingOf(head);
  const organization = name(head.organization.name);
  const title = say('quoted', { name: name(head.title) });
  const by = creator ? `${name(creator.name)} (${creator.email})` : null;
  return [
    say(head.scheduled_report_id === null ? 'mail.recipient' : 'mail.scheduled_recipient', { title, organization }),
    by === null ? say('mail.stop', { organization }) : say('mail.stop_by', { by, organization }),
  ];
}

/** Returns the mail of a report: its key points, and the file or a link to it. */
export function deliveryMail(
  report: DeliveredReport,
  file: DeliveredFile,
  { to, baseUrl }: { to: string; baseUrl: string },
): Mail {
  const { head, format } = report;
  const words = wordingOf(head);
  const { subject, ...points } = keyPoints(head, baseUrl);
  const title = name(head.title);
  const mail = composeMail({
    subject: [title, subject, name(head.organization.name)].filter((part) => part !== '').join(' – '),
    sender: 'Assay',
    heading: title,
    ...points,
    paragraphs: [...points.paragraphs, selectionSentence(head), whereItIs(file, name(head.organization.name), words)],
    action:
      file.content === null
        ? { label: words.say('mail.download'), url: downloadUrl(baseUrl, head.id, format) }
        : { label: words.say('mail.open'), url: pageUrl(baseUrl, head.id) },
    footer: footer(report),
  });
  const { filename, contentType, content } = file;
  return { to, ...mail, ...(content && { attachments: [{ filename, contentType, content }] }) };
}
