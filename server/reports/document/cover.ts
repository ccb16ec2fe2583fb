import { plainText, shorten } from '../plain-text.ts';
import { type ReportHead, selectionIn } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { type Cover, code, type Fact, text } from './blocks.ts';
import { lineOf } from './texts.ts';

const shownValues = 12;

/** Returns the first page: period, key figures and scope. */
export function coverOf(head: ReportHead): Cover {
  const { say, number, period } = wordingOf(head);
  return {
    subtitle: say('cover.subtitle', { period: period(head.period) }),
    figures: [
      { value: number(head.open), label: say('cover.open', { n: head.open }) },
      { value: number(head.summary.total), label: say('cover.total') },
    ],
    severities: head.open_by_severity,
    facts: facts(head),
  };
}

const plain = (label: string, value: string): Fact => ({ label, inlines: [text(value)] });

function facts(head: ReportHead): Fact[] {
  const { say, moment, period } = wordingOf(head);
  const selection = selectionIn(head).map(({ label, values }) => {
    const others = values.length - shownValues;
    const shown = values
      .slice(0, shownValues)
      .map((value) => plainText(value, { line: true, max: 100 }))
      .join(', ');
    return plain(lineOf(label, 40), others > 0 ? say('list.and_more', { shown, n: others }) : shown);
  });
  return [
    plain(say('cover.as_of'), moment(head.taken_at)),
    plain(say('cover.period'), period(head.period)),
    ...(selection.length > 0 ? selection : [plain(say('cover.selection'), say('cover.all_findings'))]),
    ...control(head),
    { label: say('cover.report'), inlines: [code(head.id)] },
    { label: say('cover.snapshot'), inlines: [code(head.snapshot_sha256)] },
  ];
}

function control(head: ReportHead): Fact[] {
  const { say, moment } = wordingOf(head);
  const { version, author, distribution, classification } = head.document;
  const { state, reviewed, finalized } = head.approval;
  const taken = (label: string, { name, at }: NonNullable<typeof reviewed>) =>
    plain(label, [lineOf(name, 100), moment(at)].filter((part) => part !== '').join(', '));
  const receivers = distribution.map((name) => lineOf(name, 80)).join(', ');
  return [
    plain(say('cover.version'), `${lineOf(version, 40)}, ${say(`document_state.${state}`)}`),
    plain(say('cover.author'), author ? lineOf(author, 100) : preparedBy(head)),
    ...(reviewed ? [taken(say('cover.reviewer'), reviewed)] : []),
    ...(finalized ? [taken(say('cover.finalized'), finalized)] : []),
    ...(receivers ? [plain(say('cover.distribution'), shorten(receivers, 600))] : []),
    ...(classification ? [plain(say('cover.classification'), lineOf(classification, 100))] : []),
  ];
}

function preparedBy(head: ReportHead): string {
  const { say } = wordingOf(head);
  const name = head.created_by && lineOf(head.created_by.name, 100);
  if (head.scheduled_report_id === null) return name ?? 'Assay';
  return name ? say('cover.schedule_of', { name }) : say('cover.schedule');
}
