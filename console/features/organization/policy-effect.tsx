import type { Policy } from '@assay/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { explain } from '../../api/errors.ts';
import { useSettled } from '../../filters/use-suggestions.ts';
import { paths } from '../../paths.ts';
import { plural } from '../findings/words.ts';
import classes from './organization.module.css';

type DueRules = Pick<Policy, 'days_to_fix' | 'test_grace_days'>;

function changesOf(before: DueRules, after: DueRules): number {
  const rows = Object.entries(after.days_to_fix).flatMap(([severity, row]) =>
    Object.entries(row).map(([criticality, days]) => [severity, criticality, days] as const),
  );
  const old: Record<string, Record<string, number | null>> = before.days_to_fix;
  const days = rows.filter(([severity, criticality, value]) => old[severity]?.[criticality] !== value).length;
  return days + (before.test_grace_days === after.test_grace_days ? 0 : 1);
}

/** The numbers of open findings whose due dates other days to fix would change. Keeps its room, so that no field moves. */
export function PolicyEffect({ policy, next }: { policy: Policy; next: DueRules | null }) {
  const changes = next === null ? 0 : changesOf(policy, next);
  const rules = JSON.stringify(next && { days_to_fix: next.days_to_fix, test_grace_days: next.test_grace_days });
  // Counting reads all open findings: it begins when the person pauses.
  const asked = useSettled(rules);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['policy-effect', asked],
    queryFn: ({ signal }) => assay.organization.previewPolicy(JSON.parse(asked) as DueRules, { signal }),
    enabled: changes > 0 && asked === rules,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = data !== undefined && asked === rules && !isPlaceholderData;
  const number = (count: number | undefined) => (isCurrent ? plural(count!, 'finding') : '…');
  return (
    <section className={classes.effect} aria-label="What this would change">
      <h3>What this would change</h3>
      {changes === 0 && <p className={classes.hint}>Due dates stay as they are.</p>}
      {changes > 0 && error && <p className={classes.hint}>{explain(error).message}</p>}
      {changes > 0 && !error && (
        <div role="status" aria-busy={!isCurrent}>
          <dl>
            <dt>Due earlier</dt>
            <dd>{number(data?.earlier)}</dd>
            <dt>Due later</dt>
            <dd>{number(data?.later)}</dd>
            <dt>Overdue at once</dt>
            <dd data-late={isCurrent && data.overdue > 0}>{number(data?.overdue)}</dd>
            {isCurrent && data.overdue > 0 && (
              <dd>
                {/* In a tab of its own, since the fields of the dialog are not saved yet. */}
                <Link to={paths.findings} search={{ number: data.overdue_numbers.join() } as never} target="_blank">
                  {data.overdue > data.overdue_numbers.length
                    ? `Show the ${data.overdue_numbers.length} most urgent`
                    : 'Show these'}
                </Link>
              </dd>
            )}
          </dl>
        </div>
      )}
    </section>
  );
}
