import type { Finding, FindingStatus } from '@assay/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { KeyNames } from '../../keys/key-names.tsx';
import { paths } from '../../paths.ts';
import { Load } from '../../ui/states.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { useTriage } from '../findings/use-triage.tsx';
import { placeOf, statusKeys, statusNames } from '../findings/words.ts';
import { firstNewQuery } from './queries.ts';
import classes from './start.module.css';

const offered = Object.entries(statusKeys).filter(([, status]) => status !== 'new') as [string, FindingStatus][];

function Triage({ finding }: { finding: Finding }) {
  const client = useQueryClient();
  const done = async (saved: Promise<void>) => {
    // What is read before that still has the finding as new.
    await saved;
    for (const key of ['findings', 'start']) void client.invalidateQueries({ queryKey: [key] });
  };
  const { act, dialogs, mayChange } = useTriage(
    () => [finding],
    (saved) => void done(saved),
  );
  return (
    <>
      <article className={classes.finding} aria-label="The most severe new finding">
        <SeverityMark severity={finding.severity} />
        <h3>
          <Link to={paths.findings} search={{ status: 'new', open: finding.id }}>
            {finding.title}
          </Link>
        </h3>
        <p className={classes.muted}>
          {placeOf(finding)} in {finding.data_source.name}
        </p>
        {finding.evidence && <pre className={classes.evidence}>{finding.evidence}</pre>}
      </article>
      {mayChange && (
        <>
          <p>Decide what it is: press a key, or click. Everything can be undone with z.</p>
          <div className={classes.buttons}>
            {offered.map(([key, status]) => (
              <button key={key} type="button" className={classes.button} onClick={() => act({ status })}>
                <KeyNames keys={key} /> {statusNames[status]}
              </button>
            ))}
          </div>
          <p className={classes.muted}>
            Triaged: real, and waits for its repair. In progress: somebody repairs it. Resolved: repaired. False
            positive: no problem. Risk accepted: real, and stays for a time.
          </p>
        </>
      )}
      {dialogs}
    </>
  );
}

/** The most severe finding that nobody has looked at, to be triaged here. */
export function FirstFinding() {
  const query = useQuery(firstNewQuery);
  const may = useMay('findings:read');
  if (!may) return null;
  return (
    <Load query={query} rows={3}>
      {(finding) =>
        finding ? <Triage finding={finding} /> : <p className={classes.muted}>There is no new finding to triage.</p>
      }
    </Load>
  );
}
