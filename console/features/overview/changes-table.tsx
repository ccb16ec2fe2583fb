import type { FindingProgress } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { openFindings } from '../../api/summary-parameters.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { formatCount } from '../findings/words.ts';
import { ExportButtons } from './export-buttons.tsx';
import classes from './overview.module.css';
import { openByQuery, progressQuery, week } from './queries.ts';
import { Change } from './standing.tsx';

type Moved = FindingProgress['by_rule'][number];
type By = 'data_source' | 'rule';

const kinds = [
  { value: 'data_source', label: 'Data source' },
  { value: 'rule', label: 'Rule' },
] as const;
const header = ['New', 'Reopened', 'Fixed', 'Dismissed', 'Open now', 'Change'];
const maxRows = 10;

const orDash = (count: number) => (count === 0 ? '–' : formatCount(count));

function drawn(by: By, rows: Moved[], open: Map<string, number>) {
  const max = Math.max(...rows.map(({ change }) => Math.abs(change)), 1);
  return {
    title: `Changes in the last ${week} days`,
    header: [by === 'rule' ? 'Rule' : 'Data source', ...header],
    rows: rows.map(({ id, name, new: added, reopened, fixed, dismissed, removed, change }) => ({
      cells: [name, added, reopened, fixed, dismissed + removed, open.get(id) ?? '', change].map(String),
      parts: [{ from: 0, to: Math.abs(change) / max, color: change > 0 ? 'var(--chart-in)' : 'var(--chart-out)' }],
    })),
  };
}

function Rows({ by, rows, open }: { by: By; rows: Moved[]; open: Map<string, number> }) {
  return (
    <table className={classes.moves} aria-label={by === 'rule' ? 'Changes by rule' : 'Changes by data source'}>
      <thead>
        <tr>
          <th scope="col">{by === 'rule' ? 'Rule' : 'Data source'}</th>
          {header.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, new: added, reopened, fixed, dismissed, removed, change }) => (
          <tr key={id}>
            <th scope="row" title={name}>
              {name}
            </th>
            <td>
              {added === 0 ? (
                '–'
              ) : (
                <Link to={paths.findings} search={{ [by]: id, from: '7d' } as never}>
                  {formatCount(added)}
                </Link>
              )}
            </td>
            <td>{orDash(reopened)}</td>
            <td>{orDash(fixed)}</td>
            <td>{orDash(dismissed + removed)}</td>
            <td>
              <Link to={paths.findings} search={{ ...openFindings, [by]: id } as never}>
                <b>{open.has(id) ? formatCount(open.get(id)!) : '…'}</b>
              </Link>
            </td>
            <td>
              <Change difference={change} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows which data sources, or rules, opened and closed findings in a week, the one that grew most first. */
export function Changes() {
  const [by, setBy] = useState<By>('data_source');
  const query = useQuery(progressQuery(week));
  const rows = ((by === 'rule' ? query.data?.by_rule : query.data?.by_data_source) ?? []).slice(0, maxRows);
  const { data: open = new Map<string, number>() } = useQuery(
    openByQuery(
      by,
      rows.map(({ id }) => id),
    ),
  );
  return (
    <Section
      title="Why it changed"
      lead={`The last ${week} days, today included.`}
      actions={
        <>
          {rows.length > 0 && (
            <ExportButtons name={`changes-by-${by.replace('_', '-')}`} table={drawn(by, rows, open)} />
          )}
          <Choice label="By" value={by} onChange={(value) => setBy(value as By)} options={[...kinds]} />
        </>
      }
    >
      <Load query={query} rows={6}>
        {() =>
          rows.length === 0 ? (
            <p className={classes.muted}>Nothing opened or closed.</p>
          ) : (
            <Rows by={by} rows={rows} open={open} />
          )
        }
      </Load>
    </Section>
  );
}
