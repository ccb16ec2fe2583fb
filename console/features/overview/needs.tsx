import type { Decision } from '@assay/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay, useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { endingQuery, soonDays, useScopeNames } from '../decisions/queries.ts';
import { AnswerButtons } from '../decisions/requests.tsx';
import { scopeWords, whyWords } from '../decisions/words.ts';
import { Due } from '../findings/due.tsx';
import { OutcomeMark, SeverityMark } from '../findings/marks.tsx';
import { builtInViews, type ListView } from '../findings/views.ts';
import { formatCount, placeBesideTitle, plural } from '../findings/words.ts';
import classes from './overview.module.css';
import { maxWaiting, type Remark, remarksQuery, requestsQuery, type WaitingFindings, waitingQuery } from './queries.ts';

type Part = { id: string; title: string; sentence: (count: number) => string };

/** The findings that wait for people, the most urgent first. Each part is a view of the list. */
const urgent: Part[] = [
  { id: 'mine', title: 'Assigned to you', sentence: (count) => `${formatCount(count)} assigned to you` },
  {
    id: 'due',
    title: 'Late, or due within a week',
    sentence: (count) => `${formatCount(count)} late or due within a week`,
  },
];
const others: Part[] = [
  {
    id: 'exploited',
    title: 'Known to be exploited',
    sentence: (count) => `${formatCount(count)} known to be exploited`,
  },
  {
    id: 'reopened',
    title: 'Came back after they were resolved',
    sentence: (count) => `${formatCount(count)} came back`,
  },
  {
    id: 'expiring',
    title: 'Accepted risks that end within 30 days',
    sentence: (count) => `${plural(count, 'accepted risk ends', 'accepted risks end')} soon`,
  },
  { id: 'triage', title: 'New, to be triaged', sentence: (count) => `${formatCount(count)} to triage` },
];
const parts = [...urgent, ...others];

const viewOf = (id: string): ListView => {
  const view = builtInViews.find((one) => one.id === id)!;
  return id === 'mine' ? { ...view, sort: 'due_at' } : view;
};
const searchOf = ({ id, filters, sort }: ListView) => ({ ...filters, ...(sort && { sort }), view: id });

function Waiting({ id, title, data }: Pick<Part, 'id' | 'title'> & { data: WaitingFindings }) {
  const view = viewOf(id);
  return (
    <Section
      title={title}
      actions={
        <Link to={paths.findings} search={searchOf(view) as never}>
          {data.total === 1 ? 'Show it' : `All ${formatCount(data.total)}`}
        </Link>
      }
    >
      <ul className={classes.rows}>
        {data.findings.map((finding) => (
          <li key={finding.id}>
            <SeverityMark severity={finding.severity} />
            <Link to={paths.findings} search={{ ...searchOf(view), open: finding.id } as never} title={finding.title}>
              {finding.title}
            </Link>
            <span className={classes.place}>{placeBesideTitle(finding) || finding.data_source.name}</span>
            <Due at={finding.due_at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Request({ request, words }: { request: Decision; words: string }) {
  return (
    <li>
      <span className={classes.asked}>
        <Link to={paths.decisions} search={{ tab: 'requested', open: request.id } as never} title={words}>
          {words}
        </Link>
        <span className={classes.place}>
          <OutcomeMark outcome={request.outcome} />, {request.requested_by?.name ?? 'A former member'}:{' '}
          {whyWords(request)}
        </span>
      </span>
      <span className={classes.answers}>
        <AnswerButtons request={request} about={words} />
      </span>
    </li>
  );
}

/** The requests of others, to approve or reject here. */
function Requests({ requests, total }: { requests: Decision[]; total: number }) {
  const names = useScopeNames(requests);
  return (
    <Section
      title="Waiting for your approval"
      actions={
        <Link to={paths.decisions} search={{ tab: 'requested' } as never}>
          {total === 1 ? 'Show it' : `All ${formatCount(total)}`}
        </Link>
      }
    >
      <ul className={classes.requests}>
        {requests.map((request) => (
          <Request key={request.id} request={request} words={scopeWords(request.scope, names)} />
        ))}
      </ul>
    </Section>
  );
}

/** The decisions about more than one finding that end soon, the next to end first: their findings will be open again. */
function Ending({ decisions, more }: { decisions: Decision[]; more: boolean }) {
  const shown = decisions.slice(0, maxWaiting);
  const names = useScopeNames(shown);
  return (
    <Section
      title={`Decisions that end within ${soonDays} days`}
      actions={
        <Link to={paths.decisions} search={{ tab: 'ending' } as never}>
          {decisions.length === 1 ? 'Show it' : `All ${formatCount(decisions.length)}${more ? '+' : ''}`}
        </Link>
      }
    >
      <ul className={classes.requests}>
        {shown.map((decision) => (
          <li key={decision.id}>
            <span className={classes.asked}>
              <Link to={paths.decisions} search={{ tab: 'ending', open: decision.id } as never}>
                {scopeWords(decision.scope, names)}
              </Link>
              <span className={classes.place}>
                <OutcomeMark outcome={decision.outcome} />, {plural(decision.findings, 'finding')}: {whyWords(decision)}
              </span>
            </span>
            <span className={classes.muted}>
              <Time at={decision.until!} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The last comments of others on the person's findings. */
const Remarks = ({ remarks }: { remarks: Remark[] }) => (
  <Section title="Comments on your findings">
    <ul className={classes.remarks}>
      {remarks.map(({ finding, name, text, at }) => (
        <li key={finding.id}>
          <b>{name}</b>
          <Link to={`${paths.findings}/$id`} params={{ id: finding.id }} title={finding.title}>
            {finding.title}
          </Link>
          <span className={classes.place}>{text}</span>
          <span className={classes.muted}>
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  </Section>
);

/** Says what waits, the most urgent in bold. */
function News({ sentences: [first, ...rest] }: { sentences: string[] }) {
  return (
    <p className={classes.news}>
      <b>{first}.</b> {rest.length > 0 && `${rest.join(', ')}.`}
    </p>
  );
}

/** The person's pending work for today. */
export function Needs() {
  const { id: me } = useProfile();
  const mayDecide = useMay('findings:write');
  const found = useQueries({ queries: parts.map(({ id }) => waitingQuery(viewOf(id))) });
  const requested = useQuery({ ...requestsQuery(me), enabled: mayDecide });
  const commented = useQuery(remarksQuery(me));
  const ending = useQuery({ ...endingQuery(false), enabled: mayDecide });
  const all = [...found, requested, commented, ending];
  const failed = all.find(({ error }) => error);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (all.some(({ isLoading }) => isLoading)) return <Skeleton rows={12} />;
  const { requests = [], total = 0 } = requested.data ?? {};
  const remarks = commented.data ?? [];
  const ends = ending.data?.decisions.length ?? 0;
  const waiting = (some: Part[]) =>
    some.map((part) => ({ ...part, data: found[parts.indexOf(part)]!.data! })).filter(({ data }) => data.total > 0);
  const sentencesOf = (some: Part[]) => waiting(some).map(({ sentence, data }) => sentence(data.total));
  const sentences = [
    ...sentencesOf(urgent),
    ...(total > 0 ? [`${plural(total, 'request')} to approve`] : []),
    ...(ends > 0 ? [`${plural(ends, 'decision ends', 'decisions end')} within ${soonDays} days`] : []),
    ...sentencesOf(others),
    ...(remarks.length > 0 ? [`${plural(remarks.length, 'comment')} on your findings`] : []),
  ];
  if (sentences.length === 0)
    return (
      <Empty title="Nothing is waiting for you">
        <p>
          Nothing is overdue, assigned to you, waiting for approval, or new.{' '}
          <Link to={paths.findings}>All findings</Link>
        </p>
      </Empty>
    );
  const shown = (some: Part[]) => waiting(some).map((part) => <Waiting key={part.id} {...part} />);
  return (
    <>
      <News sentences={sentences} />
      {shown(urgent)}
      {total > 0 && <Requests requests={requests} total={total} />}
      {remarks.length > 0 && <Remarks remarks={remarks} />}
      {ending.data && ends > 0 && <Ending {...ending.data} />}
      {shown(others)}
    </>
  );
}
