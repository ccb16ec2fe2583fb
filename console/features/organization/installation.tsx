import type { InstallationCheck } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, type Icon } from '../../ui/button.tsx';
import { IconAlertCircle, IconAlertTriangle, IconCheck } from '../../ui/icons.ts';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './organization.module.css';

const marks: Record<InstallationCheck['state'], { tone: Tone; icon: Icon; word: string }> = {
  ok: { tone: 'ok', icon: IconCheck, word: 'OK' },
  warning: { tone: 'warn', icon: IconAlertTriangle, word: 'Needs attention' },
  failed: { tone: 'danger', icon: IconAlertCircle, word: 'Failed' },
};

const names: Record<InstallationCheck['name'], string> = {
  database: 'Database',
  room: 'Disk space',
  clock: 'Clock',
  backup: 'Backup',
  jobs: 'Jobs',
  schedules: 'Schedules',
  schema: 'Schema',
  roles: 'Roles',
  replicas: 'Replicas',
  feeds: 'Feeds',
};

function Row({ name, state, summary, action }: InstallationCheck) {
  const { word, ...mark } = marks[state];
  return (
    <li>
      <h3>{names[name]}</h3>
      <Badge {...mark}>{word}</Badge>
      <p>
        {summary}
        {action !== null && <span className={classes.toDo}> {action}</span>}
      </p>
    </li>
  );
}

/** The state of the installation, for owners of the organization that runs it. */
export function InstallationSection() {
  const installation = useQuery({
    queryKey: ['organization', 'installation'],
    queryFn: ({ signal }) => assay.organization.installation({ signal }),
  });
  const check = (
    <Button loading={installation.isFetching} onClick={() => void installation.refetch()}>
      Check again
    </Button>
  );
  return (
    <Section
      title="Installation"
      lead="This organization manages the installation. The command assay doctor makes the same checks, even while Assay is stopped."
      actions={check}
    >
      <Load query={installation} rows={10}>
        {({ checks, checked_at }) => (
          <>
            <ul className={classes.checks}>
              {checks.map((found) => (
                <Row key={found.name} {...found} />
              ))}
            </ul>
            <p className={classes.hint}>
              Checked <Time at={checked_at} />
            </p>
          </>
        )}
      </Load>
    </Section>
  );
}
