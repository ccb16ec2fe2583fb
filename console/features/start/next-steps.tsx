import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconCheck } from '../../ui/icons.ts';
import classes from './start.module.css';

/** Whether a list has at least so many entries. */
function useHas(key: string, count: number, load: (signal: AbortSignal) => PromiseLike<{ data: unknown[] }>) {
  const { data } = useQuery({
    queryKey: [key, 'at-least', count],
    queryFn: async ({ signal }) => (await load(signal)).data.length >= count,
  });
  return data ?? false;
}

type NextProps = { title: string; text: string; to: string; search?: Record<string, string>; done: boolean };

function Next({ title, text, to, search = {}, done }: NextProps) {
  return (
    <div className={classes.way}>
      <h3>
        <Link to={to} search={search}>
          {title}
        </Link>
      </h3>
      <p className={classes.muted}>{text}</p>
      {done && (
        <div>
          <Badge tone="ok" icon={IconCheck}>
            Done
          </Badge>
        </div>
      )}
    </div>
  );
}

/** The next steps, in any order. */
export function NextSteps() {
  const [mayInvite, maySchedule] = [useMay('organization:write'), useMay('schedules:write')];
  const members = useHas('members', 2, (signal) => assay.organization.members.list({ limit: 2 }, { signal }));
  const schedules = useHas('scan-schedules', 1, (signal) => assay.scanSchedules.list({ limit: 1 }, { signal }));
  // The first start makes one.
  const tokens = useHas('tokens', 2, (signal) => assay.profile.tokens.list({ limit: 2 }, { signal }));
  return (
    <div className={classes.ways}>
      {mayInvite && (
        <Next
          title="Invite your team"
          text="Findings can be assigned to people, and every change says who made it."
          to={paths.organization}
          done={members}
        />
      )}
      {maySchedule && (
        <Next
          title="Scan on a schedule"
          text="What is fixed closes by itself, and what comes back is reopened."
          to={paths.schedules}
          search={{ add: 'yes' }}
          done={schedules}
        />
      )}
      <Next
        title="Make an API token"
        text="For your pipeline, SIEM or scripts: everything here is in the API."
        to={paths.profile}
        done={tokens}
      />
    </div>
  );
}
