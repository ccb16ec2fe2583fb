import type { Decision } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { openRequestsQuery } from '../../api/open-requests.ts';
import { usePages } from '../../api/pages.ts';
import { useMay, useProfile } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { tabsOf } from '../../ui/tabs.tsx';
import { formatDay, Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { OutcomeMark } from '../findings/marks.tsx';
import { outcomeNames } from '../findings/words.ts';
import { DecisionPanel } from './decision.tsx';
import classes from './decisions.module.css';
import { OfferedRules } from './demotion.tsx';
import { authorOf } from './entry.tsx';
import {
  byEnd,
  decisionPages,
  endingQuery,
  endsSoon,
  type Shown,
  shownOf,
  singlesQuery,
  soonDays,
  tabs,
  useScopeNames,
} from './queries.ts';
import { ApproveDialog, useMayAnswer } from './requests.tsx';
import { endingWords, scopeWords, whyWords } from './words.ts';

/** The end of a decision: in words when it is near. */
function Until({ decision, now }: { decision: Decision; now: number }) {
  const { until } = decision;
  if (until === null) return 'No end';
  if (!endsSoon(decision)) return formatDay(until);
  return (
    <span className={classes.near}>
      <Time at={until} now={now} />
    </span>
  );
}

/** The filters of the findings that people have decided about one by one. */
const dismissed = { status: 'false_positive,accepted_risk' };

function useColumns(
  shown: Shown,
  decisions: Decision[] | undefined,
  open: (id: string) => Record<string, string>,
): ListColumn<Decision>[] {
  const names = useScopeNames(decisions);
  const now = useNow();
  const isInForce = shown === 'active' || shown === 'ending';
  return [
    {
      title: 'What it covers',
      cell: (decision) => (
        <Named
          note={
            <>
              {authorOf(decision)}
              {decision.entry && ` in ${decision.entry.data_source.name}`}: {whyWords(decision)}
            </>
          }
        >
          <Link to={paths.decisions} search={open(decision.id) as never}>
            {scopeWords(decision.scope, names)}
          </Link>
        </Named>
      ),
      text: ({ scope }) => scopeWords(scope, names),
      by: ({ scope }) => scopeWords(scope, names),
    },
    {
      title: 'Outcome',
      width: '128px',
      phone: 'line',
      cell: ({ outcome }) => <OutcomeMark outcome={outcome} />,
      text: ({ outcome }) => outcomeNames[outcome],
      by: ({ outcome }) => outcomeNames[outcome],
    },
    ...(isInForce
      ? [
          {
            title: 'Findings',
            width: '84px',
            isNumber: true,
            phone: 'named line',
            cell: ({ findings }) => findings.toLocaleString('en'),
            text: ({ findings }) => findings,
            by: ({ findings }) => findings,
          } satisfies ListColumn<Decision>,
        ]
      : []),
    ...(shown === 'ended'
      ? [
          {
            title: 'How it ended',
            width: '22%',
            phone: 'line',
            cell: (decision) => <span title={endingWords(decision)}>{endingWords(decision)}</span>,
            text: endingWords,
            by: endingWords,
          } satisfies ListColumn<Decision>,
        ]
      : []),
    {
      title: 'By',
      width: '128px',
      gives: 1,
      // The first column names the person too.
      isEmpty: true,
      cell: authorOf,
      text: authorOf,
      by: authorOf,
    },
    {
      title: 'Approved by',
      width: '128px',
      gives: 1,
      isEmpty: !decisions?.some(({ approved_by: by }) => by),
      cell: ({ approved_by: by }) => by?.name ?? '–',
      text: ({ approved_by: by }) => by?.name ?? '',
      by: ({ approved_by: by }) => by?.name ?? '',
    },
    {
      title: 'Since',
      width: '112px',
      gives: 1,
      cell: ({ created_at }) => formatDay(created_at),
      text: ({ created_at }) => created_at,
      by: ({ created_at }) => created_at,
    },
    shown === 'requested'
      ? {
          title: 'Ends',
          width: '112px',
          phone: 'named line',
          cell: ({ expires_at }) => (expires_at === null ? '–' : formatDay(expires_at)),
          text: ({ expires_at }) => expires_at ?? '',
          by: ({ expires_at }) => expires_at ?? '',
        }
      : isInForce
        ? {
            title: 'Until',
            width: '112px',
            phone: 'named line',
            cell: (decision) => <Until decision={decision} now={now} />,
            text: ({ until }) => until ?? '',
            by: ({ until }) => until ?? '9',
          }
        : {
            title: 'Ended',
            width: '112px',
            phone: 'named line',
            cell: ({ ended_at }) => (ended_at === null ? '–' : formatDay(ended_at)),
            text: ({ ended_at }) => ended_at ?? '',
            by: ({ ended_at }) => ended_at ?? '',
          },
  ];
}

/** The active decisions, which apply to current and future findings, and the ended ones. */
export default function DecisionsPage() {
  const [search, change] = useUrl();
  const shown = shownOf(search.tab);
  const pages = usePages(decisionPages(shown));
  const query = shown === 'ending' ? { ...pages, data: pages.data?.toSorted(byEnd) } : pages;
  const { id: me } = useProfile();
  const mayAnswer = useMayAnswer();
  const mayDecide = useMay('findings:write');
  const requests = useQuery(openRequestsQuery).data?.filter((by) => by !== me).length;
  const ending = useQuery(endingQuery()).data?.decisions.length;
  const counts: Partial<Record<string, number | undefined>> = { [tabs.requested]: requests, [tabs.ending]: ending };
  const singles = useQuery({ ...singlesQuery, enabled: shown === 'active' });
  const [approving, setApproving] = useState<Decision[] | null>(null);
  const tab: Record<string, string> = shown === 'active' ? {} : { tab: shown };
  return (
    <Page
      title="Decisions"
      tabs={tabsOf(paths.decisions, tabs, shown).map((one) => ({ ...one, count: counts[one.label] || undefined }))}
    >
      {shown === 'active' && <OfferedRules />}
      <div className={classes.body} data-list>
        <List
          label="Decisions"
          name="decisions"
          query={query}
          columns={useColumns(shown, query.data, (id) => ({ ...tab, open: id }))}
          idOf={({ id }) => id}
          actions={
            shown === 'requested' &&
            mayDecide &&
            ((rows, clear) => (
              <Button
                size="xs"
                kind="primary"
                onClick={() => {
                  const others = rows.filter(mayAnswer);
                  if (others.length > 0) setApproving(others);
                  else showToast('These are your own requests: another person approves them.');
                  clear();
                }}
              >
                Approve…
              </Button>
            ))
          }
          empty={
            shown === 'requested' ? (
              <Empty title="Nothing to approve">
                <p>Developers request decisions; from the severity that the policy names on, analysts do too.</p>
              </Empty>
            ) : shown === 'ending' ? (
              <Empty title="Nothing ends soon">
                <p>No decision ends within {soonDays} days.</p>
              </Empty>
            ) : shown === 'active' ? (
              <Empty title={singles.data ? 'No decision covers more than one finding' : 'No decisions yet'}>
                {singles.data && (
                  <p>
                    <Link to={paths.findings} search={dismissed as never}>
                      Findings with decisions of their own
                    </Link>
                  </p>
                )}
                <p>
                  Mark a finding as a false positive or accept its risk, and choose a scope wider than the finding: the
                  decision also applies to future findings.
                </p>
                <Link to={paths.findings}>Go to the findings</Link>
              </Empty>
            ) : (
              <Empty title="No decision has ended" />
            )
          }
        />
        {approving && <ApproveDialog requests={approving} onClose={() => setApproving(null)} />}
        {search.open && <DecisionPanel id={search.open} onClose={() => change({ open: '' })} />}
      </div>
    </Page>
  );
}
