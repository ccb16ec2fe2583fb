import type { Report, ReportLanguage } from '@assay/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Failure, Note, Skeleton } from '../../ui/states.tsx';
import { useNow } from '../../ui/time.tsx';
import { pdfQuery } from './queries.ts';
import classes from './reports.module.css';
import { timeLeft } from './words.ts';

/** The times, in milliseconds, at which the rendering was first found to take longer and at which it should be done. */
type Estimate = { since: number; end: number };

/** The progress of a rendering, based on the server's estimate. */
function Rendering({ estimate: { since, end }, onCancel }: { estimate: Estimate; onCancel: () => void }) {
  const now = Math.max(useNow(1_000), since);
  const length = Math.max(end - since, 1);
  return (
    <Note>
      <div className={classes.rendering}>
        <p role="status">The PDF is being rendered. It appears here when it is ready.</p>
        <Progress label="Rendering" percent={Math.min(95, (100 * (now - since)) / length)} />
        <p className={classes.muted}>{timeLeft(Math.ceil((end - now) / 1000))}</p>
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Note>
  );
}

/** The viewers of Chromium and Edge would show the name of a file in memory, which is an id. */
const viewer = '#toolbar=0&navpanes=0&view=FitH';

/** The document itself. It is shown from memory: the policy forbids a frame of the server's own address. */
export function Document({ report, language }: { report: Report; language: ReportLanguage }) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(true);
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const query = pdfQuery(report, language, (secondsLeft) =>
    setEstimate((old) => ({ since: old?.since ?? serverNow(), end: serverNow() + secondsLeft * 1000 })),
  );
  const { data, error, refetch } = useQuery({ ...query, enabled: wanted });
  const [url, setUrl] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language begins anew
  useEffect(() => setEstimate(null), [language]);
  useEffect(() => {
    if (!data) return;
    const address = URL.createObjectURL(data);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [data]);
  if (url) return <iframe className={classes.pdf} src={`${url}${viewer}`} title={`${report.title} as PDF`} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!wanted) {
    return (
      <p>
        <Button onClick={() => setWanted(true)}>Show the PDF</Button>
      </p>
    );
  }
  if (!estimate) return <Skeleton rows={10} />;
  const cancel = () => {
    setWanted(false);
    setEstimate(null);
    void client.cancelQueries({ queryKey: query.queryKey });
  };
  return <Rendering estimate={estimate} onCancel={cancel} />;
}
