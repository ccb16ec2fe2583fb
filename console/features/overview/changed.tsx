import type { FindingSummary } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { formatCount, plural } from '../findings/words.ts';
import classes from './overview.module.css';
import { progressQuery, week } from './queries.ts';

const differenceWords = (difference: number): string => {
  if (difference === 0) return 'As many open as a week ago.';
  return `${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} open than a week ago.`;
};

/** The changes of the week in a sentence. */
export function News({ summary }: { summary: FindingSummary | undefined }) {
  const { data } = useQuery(progressQuery(week));
  if (!summary) return <p className={classes.news}>Counting …</p>;
  const { daily, open } = summary;
  const before = daily.at(-1 - week)?.open ?? 0;
  const most = data?.by_data_source.find(({ new: added }) => added > 0);
  const rule = data?.by_rule.find(({ new: added }) => added > 1);
  return (
    <p className={classes.news}>
      <b>{differenceWords(open - before)}</b>{' '}
      {data && most
        ? `${most.name} added ${formatCount(most.new)} of ${plural(data.moves.new, 'new finding')}${rule ? `; the rule ${rule.name} found ${formatCount(rule.new)}` : ''}.`
        : data && 'Nothing new was found.'}
    </p>
  );
}
