import type { Finding, FindingStatus } from '@assay/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assay } from '../../api/client.ts';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { KeyNames } from '../../keys/key-names.tsx';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { IconArrowRight, IconCheck } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Load, Skeleton } from '../../ui/states.tsx';
import { RequestActions } from '../findings/actions.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { useTriage } from '../findings/use-triage.tsx';
import { placeOf, plural, statusKeys, statusNames } from '../findings/words.ts';
import { isRunning } from '../scans/queries.ts';
import { RunningScan } from '../scans/running-scan.tsx';
import { ScanTable } from '../scans/scan-table.tsx';
import { FirstSource } from './first-source.tsx';
import { firstNewQuery, useProgress } from './queries.ts';
import classes from './start.module.css';

const offered = Object.entries(statusKeys).filter(([, status]) => status !== 'new') as [string, FindingStatus][];

function Triage({ finding }: { finding: Finding }) {
  const client = useQueryClient();
  const done = async (saved: Promise<void>) => {
    // An earlier read still has the finding as new.
    await saved;
    for (const key of ['findings', 'start']) void client.invalidateQueries({ queryKey: [key] });
  };
  const { act, dialogs, mayChange, mayWork, mayRequest } = useTriage(
    () => [finding],
    (saved) => void done(saved),
  );
  return (
    <>
      <article className={classes.finding} aria-label="The most severe new finding">
        <SeverityMark severity={finding.severity} pill />
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
      {mayRequest && <RequestActions status={finding.status} mayWork={mayWork} onAction={act} />}
      {mayChange && (
        <>
          <p>Decide what it is: press a key or click. Press z to undo.</p>
          <div className={classes.buttons}>
            {offered.map(([key, status]) => (
              <button key={key} type="button" className={classes.button} onClick={() => act({ status })}>
                <KeyNames keys={key} /> {statusNames[status]}
              </button>
            ))}
          </div>
          <p className={classes.muted}>
            Triaged: real, and waiting to be fixed. In progress: someone is fixing it. Resolved: fixed. False positive:
            not a problem. Risk accepted: real, but tolerated for a time.
          </p>
        </>
      )}
      {dialogs}
    </>
  );
}

/** The most severe untriaged finding, which can be triaged here. */
function FirstFinding() {
  const query = useQuery(firstNewQuery);
  const may = useMay('findings:read');
  if (!may) return null;
  return (
    <Load query={query} rows={3}>
      {(finding) =>
        finding ? <Triage finding={finding} /> : <p className={classes.muted}>No new findings to triage.</p>
      }
    </Load>
  );
}

/** Whether a list has at least this many entries. */
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
    <li className={classes.way}>
      <IconArrowRight size={16} stroke={1.5} aria-hidden />
      <div>
        <h3>
          <Link to={to} search={search}>
            {title}
          </Link>
        </h3>
        <p>{text}</p>
      </div>
      {done && (
        <Badge tone="ok" icon={IconCheck}>
          Done
        </Badge>
      )}
    </li>
  );
}

/** The next steps, in any order. */
function NextSteps() {
  const [mayInvite, maySchedule] = [useMay('organization:write'), useMay('schedules:write')];
  const members = useHas('members', 2, (signal) => assay.organization.members.list({ limit: 2 }, { signal }));
  const schedules = useHas('scan-schedules', 1, (signal) => assay.scanSchedules.list({ limit: 1 }, { signal }));
  // The first start creates one.
  const tokens = useHas('tokens', 2, (signal) => assay.profile.tokens.list({ limit: 2 }, { signal }));
  return (
    <ul className={classes.list}>
      {mayInvite && (
        <Next
          title="Invite your team"
          text="Assign findings to people. Every change shows who made it."
          to={paths.organization}
          search={{ tab: 'members' }}
          done={members}
        />
      )}
      {maySchedule && (
        <Next
          title="Scan on a schedule"
          text="Fixed findings close automatically, and findings that return are reopened."
          to={paths.schedules}
          search={{ add: 'yes' }}
          done={schedules}
        />
      )}
      <Next
        title="Create an API token"
        text="For your pipeline, SIEM or scripts: the API offers everything in the console."
        to={paths.profile}
        search={{ tab: 'tokens' }}
        done={tokens}
      />
    </ul>
  );
}

const names = new Intl.ListFormat('en', { type: 'conjunction' });

/** The third-party scanners that one command on the server would install. */
function MoreScanners() {
  const may = useMay('organization:write');
  const { data = [] } = useQuery(detectionSourcesQuery);
  const missing = data.filter((source) => source.install_command !== null);
  if (!may || missing.length === 0) return null;
  const command = `npx assay tools install ${missing.map(({ type }) => type).join(' ')}`;
  return (
    <section aria-label="More scanners">
      <h2>More scanners</h2>
      <p>
        Assay finds problems without them. To add more, run one command on the server, in Assay’s folder:{' '}
        {names.format(missing.map(({ name }) => name))}:
      </p>
      <div className={classes.command}>
        <code>{command}</code>
        <CopyIcon text={command} label="Copy the command" />
      </div>
    </section>
  );
}

type Progress = ReturnType<typeof useProgress>;

function SourceStep() {
  const may = useMay('sources:write');
  return may ? <FirstSource /> : <p>Ask an admin of your organization to add a data source.</p>;
}

function ScanStep({ progress }: { progress: Progress }) {
  const running = progress.scans.filter(isRunning);
  const ended = progress.scans.filter((scan) => !isRunning(scan));
  return (
    <>
      <h2 className={classes.question}>Watch the scan</h2>
      {running.length > 0 && <p className={classes.muted}>A small repository takes seconds.</p>}
      {running.map((scan) => (
        <RunningScan key={scan.id} scan={scan} brief />
      ))}
      {ended.length > 0 && <ScanTable label="Completed scans" scans={ended} />}
      {progress.scans.length === 0 && (
        <p>
          Nothing has been scanned yet. Start a scan on the page of <Link to={paths.scans}>scans</Link>.
        </p>
      )}
      {running.length === 0 && ended.length > 0 && (
        <p>
          Nothing was found. Add another <Link to={paths.dataSources}>data source</Link>, or check the scans’ messages.
        </p>
      )}
    </>
  );
}

function TriageStep({ progress: { findings, scans } }: { progress: Progress }) {
  const running = scans.filter(isRunning);
  return (
    <>
      <h2 className={classes.question}>Triage the first finding</h2>
      <p className={classes.muted}>
        {plural(findings, 'finding')}
        {running.length > 0 ? ' so far' : ''}. Decide each with a single key.
      </p>
      {running.map((scan) => (
        <RunningScan key={scan.id} scan={scan} brief />
      ))}
      <FirstFinding />
    </>
  );
}

function AllDone({ triaged }: { triaged: number }) {
  return (
    <>
      <h2 className={classes.question}>You’re all set</h2>
      <p>
        {triaged > 0 && `${plural(triaged, 'finding')} triaged. `}
        <Link to={paths.findings} search={{ status: 'new' }}>
          Continue with the others
        </Link>{' '}
        with <KeyNames keys="j" /> and <KeyNames keys="k" /> and the same keys; <KeyNames keys="?" /> shows them all.
      </p>
      <NextSteps />
    </>
  );
}

const stepNames = ['Choose', 'Watch', 'Decide'];

/** Shows one step at a time: the first of the three that is not done. */
function Steps({ progress }: { progress: Progress }) {
  const done = [
    progress.sources.length > 0,
    progress.findings > 0,
    progress.triaged > 0 || (progress.findings > 0 && progress.resolved === progress.findings),
  ];
  const current = done.indexOf(false);
  return (
    <div className={classes.middle}>
      <ol className={classes.steps}>
        {stepNames.map((name, index) => (
          <li key={name} aria-current={index === current ? 'step' : undefined}>
            {done[index] && <IconCheck size={14} stroke={2} aria-hidden />}
            {name}
            {done[index] && <span className="visually-hidden"> (done)</span>}
          </li>
        ))}
      </ol>
      {current === 0 && <SourceStep />}
      {current === 1 && <ScanStep progress={progress} />}
      {current === 2 && <TriageStep progress={progress} />}
      {current === -1 && <AllDone triaged={progress.triaged} />}
      <MoreScanners />
    </div>
  );
}

export default function StartPage() {
  const progress = useProgress();
  return (
    <Page title="Start" note={<Link to={paths.overview}>Go to the overview</Link>}>
      {progress.loaded ? (
        <Steps progress={progress} />
      ) : progress.error ? (
        <Failure error={progress.error} onRetry={progress.refetch} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  );
}
