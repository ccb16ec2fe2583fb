import { BadRequestError, type Scan } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { assay } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { isRunning } from './queries.ts';
import { list, outcomesOf, resultOf } from './words.ts';

/** Whether the list of findings that a scan saw again is available: the API has it until a later scan completes. */
const seenQuery = (id: string) => ({
  queryKey: ['scans', 'seen', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    assay.findings.list({ scan: [`${id}:seen`], limit: 1, fields: ['id'] }, { signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof BadRequestError) return false;
        throw error;
      },
    ),
});

/** The numbers of a scan's findings, each with a link to them. */
export function ScanOutcome({ scan }: { scan: Scan }) {
  const ended = !isRunning(scan);
  const lists = useQuery({ ...seenQuery(scan.id), enabled: ended && scan.findings.seen > 0 });
  const outcomes = outcomesOf(scan.findings);
  if (!ended || outcomes.length === 0) return resultOf(scan);
  return (
    <>
      {list.formatToParts(outcomes.map(({ text }) => text)).map(({ type, value }, index) => {
        const change = type === 'element' && outcomes.find(({ text }) => text === value)?.change;
        const leads = change && (change !== 'seen' || lists.data);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other key
          <Fragment key={`${index} ${value}`}>
            {leads ? (
              <Link to={paths.findings} search={{ scan: `${scan.id}:${change}` }}>
                {value}
              </Link>
            ) : (
              value
            )}
          </Fragment>
        );
      })}
      {lists.data === false &&
        '. A later scan has completed, so the findings that this scan saw again are no longer known.'}
    </>
  );
}
