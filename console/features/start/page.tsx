import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { KeyNames } from '../../keys/key-names.tsx';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Skeleton } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import { isRunning } from '../scans/queries.ts';
import { RunningScan } from '../scans/running-scan.tsx';
import { ScanTable } from '../scans/scan-table.tsx';
import { FirstFinding } from './first-finding.tsx';
import { FirstSource } from './first-source.tsx';
import { MoreScanners } from './more-scanners.tsx';
import { NextSteps } from './next-steps.tsx';
import { useProgress } from './queries.ts';
import classes from './start.module.css';
import { Step, type StepState } from './step.tsx';

type Progress = ReturnType<typeof useProgress>;

function SourceStep({ sources, state }: { sources: Progress['sources']; state: StepState }) {
  const may = useMay('sources:write');
  return (
    <Step number={1} title="Choose what to look at" state={state}>
      {state === 'done' ? (
        <p className={classes.muted}>
          {sources.length === 1 ? sources[0]!.name : plural(sources.length, 'data source')} added.{' '}
          <Link to={paths.dataSources}>Data sources</Link>
        </p>
      ) : may ? (
        <FirstSource />
      ) : (
        <p>Ask an admin of your organization to add a data source.</p>
      )}
    </Step>
  );
}

function ScanStep({ progress, state }: { progress: Progress; state: StepState }) {
  const running = progress.scans.filter(isRunning);
  const ended = progress.scans.filter((scan) => !isRunning(scan));
  return (
    <Step number={2} title="Watch the scan" state={state}>
      {state === 'later' && <p className={classes.muted}>It takes seconds for a small repository.</p>}
      {running.map((scan) => (
        <RunningScan key={scan.id} scan={scan} brief />
      ))}
      {ended.length > 0 && state === 'current' && <ScanTable label="Scans that ended" scans={ended} />}
      {state === 'done' && (
        <p className={classes.muted}>
          {plural(progress.findings, 'finding')}
          {running.length > 0 ? ' so far' : ''}. <Link to={paths.scans}>Scans</Link>
        </p>
      )}
      {state === 'current' && progress.scans.length === 0 && (
        <p>
          Nothing has been scanned yet. Start a scan on the page of <Link to={paths.scans}>scans</Link>.
        </p>
      )}
      {state === 'current' && running.length === 0 && ended.length > 0 && (
        <p>
          Nothing was found. Add another <Link to={paths.dataSources}>data source</Link>, or look at what the scans say.
        </p>
      )}
    </Step>
  );
}

function TriageStep({ state, triaged }: { state: StepState; triaged: number }) {
  return (
    <Step number={3} title="Triage the first finding" state={state}>
      {state === 'later' && <p className={classes.muted}>You decide what each finding is, with one key.</p>}
      {state === 'current' && <FirstFinding />}
      {state === 'done' && (
        <p>
          {plural(triaged, 'finding')} triaged.{' '}
          <Link to={paths.findings} search={{ status: 'new' }}>
            Go through the others
          </Link>{' '}
          with <KeyNames keys="j" /> and <KeyNames keys="k" /> and the same keys; <KeyNames keys="?" /> shows them all.
        </p>
      )}
    </Step>
  );
}

function Steps({ progress }: { progress: Progress }) {
  const done = [
    progress.sources.length > 0,
    progress.findings > 0,
    progress.triaged > 0 || (progress.findings > 0 && progress.resolved === progress.findings),
  ];
  const current = done.indexOf(false);
  const stateOf = (index: number): StepState => (done[index] ? 'done' : index === current ? 'current' : 'later');
  return (
    <div className={classes.width}>
      <ol className={classes.steps}>
        <SourceStep sources={progress.sources} state={stateOf(0)} />
        <ScanStep progress={progress} state={stateOf(1)} />
        <TriageStep state={stateOf(2)} triaged={progress.triaged} />
      </ol>
      {current === -1 && (
        <>
          <h2>Next</h2>
          <NextSteps />
          <p>
            <Link to={paths.overview}>Go to the overview</Link>
          </p>
        </>
      )}
      <MoreScanners />
    </div>
  );
}

export default function StartPage() {
  const progress = useProgress();
  return (
    <Page title="Welcome to Assay" lead="Three steps to the first finding. It takes a minute or two.">
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
