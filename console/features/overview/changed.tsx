import type { FindingSummary } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { openFindings } from '../../api/summary-parameters.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatCount, plural } from '../findings/words.ts';
import classes from './overview.module.css';
import { type Brought, broughtQuery } from './queries.ts';

const week = 7;

const differenceWords = (difference: number): string => {
  if (difference === 0) return 'As many open as a week ago.';
  return `${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} open than a week ago.`;
};

/** The changes of the week in a sentence. */
export function News({ summary }: { summary: FindingSummary | undefined }) {
  const { data } = useQuery(broughtQuery('data_source'));
  if (!summary) return <p className={classes.news}>Counting …</p>;
  const { daily, open } = summary;
  const before = daily.at(-1 - week)?.open ?? 0;
  const [most] = data?.rows ?? [];
  return (
    <p className={classes.news}>
      <b>{differenceWords(open - before)}</b>{' '}
      {data && most
        ? `${most.name} added ${formatCount(most.count)} of ${plural(data.total, 'new finding')}.`
        : data && 'Nothing new was found.'}
    </p>
  );
}

const kinds = [
  { value: 'data_source', label: 'Data source' },
  { value: 'rule', label: 'Rule' },
] as const;

function BroughtTable({ by, rows, open }: { by: 'data_source' | 'rule'; rows: Brought[]; open: Map<string, number> }) {
  const max = Math.max(...rows.map(({ count }) => count), 1);
  return (
    <table className={classes.figures} aria-label="Where new findings come from">
      <thead>
        <tr>
          <th scope="col">{by === 'rule' ? 'Rule' : 'Data source'}</th>
          <th scope="col" aria-hidden />
          <th scope="col">New</th>
          <th scope="col">Open now</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, count }) => (
          <tr key={id}>
            <th scope="row" title={name}>
              <Link to={paths.findings} search={{ [by]: id, from: '7d' } as never}>
                {name}
              </Link>
            </th>
            <td>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(count / max) * 100} height={8} fill="var(--chart-in)" />
              </svg>
            </td>
            <td>
              <b>+{formatCount(count)}</b>
            </td>
            <td>
              <Link to={paths.findings} search={{ ...openFindings, [by]: id } as never}>
                {formatCount(open.get(id) ?? 0)}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The data sources, or the rules, with the most findings that are new since last week. */
export function WhatBrought({ summary }: { summary: FindingSummary | undefined }) {
  const [by, setBy] = useState<'data_source' | 'rule'>('data_source');
  const query = useQuery(broughtQuery(by));
  const counts = by === 'rule' ? summary?.by_rule : summary?.by_data_source;
  return (
    <Section
      title="Where new findings come from"
      lead="First seen in the last seven days."
      actions={<Choice label="By" value={by} onChange={(value) => setBy(value as typeof by)} options={[...kinds]} />}
    >
      <Load query={query} rows={6}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={classes.muted}>Nothing new was found.</p>
          ) : (
            <BroughtTable by={by} rows={rows} open={new Map(counts?.map(({ id, open }) => [id, open]))} />
          )
        }
      </Load>
    </Section>
  );
}
