import type { Report, ReportLanguage } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconDownload, IconTrash } from '../../ui/icons.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Load, Note } from '../../ui/states.tsx';
import { formatTime } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { severities, severityNames } from '../findings/words.ts';
import { Coverage } from './coverage.tsx';
import { Document } from './document.tsx';
import { type LoadedFile, loadFile } from './load-file.ts';
import { ReportStatusMark } from './marks.tsx';
import { reportQuery, useDeleteReport, useMoveReport } from './queries.ts';
import classes from './reports.module.css';
import {
  documentFormats,
  formatNames,
  formats,
  languageNames,
  type ReportFormat,
  stateNames,
  templateNames,
  timeLeft,
  type Wanted,
} from './words.ts';

function save({ blob, name }: LoadedFile) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Downloads the report in any format. A large report may take minutes; the wait can be cancelled. */
function Downloads({ id, language }: { id: string; language: ReportLanguage }) {
  const waiting = useRef<AbortController | null>(null);
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const download = useMutation({
    mutationFn: (format: ReportFormat) => {
      waiting.current = new AbortController();
      const wanted: Wanted = documentFormats.includes(format) ? { format, language } : { format };
      return loadFile(id, wanted, { signal: waiting.current.signal, onEstimate: setSecondsLeft });
    },
    onSuccess: save,
    onError: (error) => waiting.current?.signal.aborted || showError(error),
    onSettled: () => setSecondsLeft(null),
  });
  const { mutate } = download;
  const [{ download: wanted }, change] = useUrl();
  // Mails link to a file this way. Going back does not download it again.
  useEffect(() => {
    const format = formats.find((one) => one === wanted);
    if (!format) return;
    change({ download: '' }, { replace: true });
    mutate(format);
  }, [wanted, change, mutate]);
  return (
    <div className={classes.downloads}>
      {formats.map((format) => (
        <Button
          key={format}
          size="xs"
          icon={IconDownload}
          loading={download.isPending && download.variables === format}
          onClick={() => download.mutate(format)}
        >
          {formatNames[format]}
        </Button>
      ))}
      {download.isPending && secondsLeft !== null && (
        <p className={classes.muted} role="status">
          {formatNames[download.variables]} is being rendered. {timeLeft(secondsLeft)}{' '}
          <Button size="xs" kind="quiet" onClick={() => waiting.current?.abort()}>
            Cancel
          </Button>
        </p>
      )}
    </div>
  );
}

type LanguageProps = { language: ReportLanguage; onLanguage: (language: ReportLanguage) => void };

/** The report's state with names and times, and the next actions. */
function ReportState({ report }: { report: Report }) {
  const mayWrite = useMay('reports:write');
  const isAdmin = useMay('scheduled_reports:write');
  const move = useMoveReport();
  const next: Partial<Record<Report['state'], string>> = {
    ...(report.state === 'draft' && { reviewed: 'Mark as reviewed' }),
    ...(report.state === 'reviewed' && { final: 'Make final', draft: 'Back to draft' }),
    ...(report.state === 'final' && isAdmin && { draft: 'Back to draft' }),
  };
  const steps = [
    report.finalized && `made final by ${nameOf(report.finalized)}, ${formatTime(report.finalized.at)}`,
    report.reviewed && `reviewed by ${nameOf(report.reviewed)}, ${formatTime(report.reviewed.at)}`,
  ].filter(Boolean);
  return (
    <div className={classes.state}>
      <span>
        {stateNames[report.state]}
        {steps.length > 0 && ` (${steps.join('; ')})`}
      </span>
      {mayWrite &&
        report.status === 'ready' &&
        Object.entries(next).map(([state, label]) => (
          <Button
            key={state}
            size="xs"
            loading={move.isPending && move.variables.state === state}
            onClick={() => move.mutate({ id: report.id, state: state as Report['state'] })}
          >
            {label}
          </Button>
        ))}
    </div>
  );
}

const nameOf = ({ by }: NonNullable<Report['reviewed']>) => by?.name ?? 'somebody who left';

function About({ report }: { report: Report }) {
  const { summary } = report;
  const counts = summary
    ? severities
        .filter((severity) => summary.by_severity[severity] > 0)
        .map(
          (severity) =>
            `${summary.by_severity[severity].toLocaleString('en')} ${severityNames[severity].toLowerCase()}`,
        )
        .join(', ')
    : null;
  return (
    <Section title="About">
      <Facts
        entries={[
          ['Status', <ReportStatusMark key="status" status={report.status} />],
          ['Covers', <Coverage key="covers" filters={report.filters} />],
          ['Contents', templateNames[report.template]],
          ['State', <ReportState key="state" report={report} />],
          ['Classification', report.document.classification],
          ['Findings', summary && `${summary.total.toLocaleString('en')}${counts ? `: ${counts}` : ''}`],
          ['Made', formatTime(report.created_at)],
          ['By', report.scheduled_report_id ? 'A schedule' : report.created_by?.name],
        ]}
      />
      {report.error && <Note kind="warning">{report.error}</Note>}
    </Section>
  );
}

const Download = ({ id, language, onLanguage }: { id: string } & LanguageProps) => (
  <Section title="Download">
    <div className={classes.language}>
      <Select
        label="Language of PDF and Word"
        value={language}
        onChange={(chosen) => onLanguage(chosen as ReportLanguage)}
        options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      />
    </div>
    <Downloads id={id} language={language} />
  </Section>
);

function Loaded({ report }: { report: Report }) {
  const [{ dialog }, change] = useUrl();
  const navigate = useNavigate();
  const mayWrite = useMay('reports:write');
  const [chosen, setChosen] = useState<ReportLanguage | null>(null);
  const language = chosen ?? report.document.language;
  const remove = useDeleteReport(() => void navigate({ to: paths.reports }));
  const button = mayWrite && (
    <Button icon={IconTrash} onClick={() => change({ dialog: 'delete' })}>
      Delete
    </Button>
  );
  return (
    <Page title={report.title} parent={<Link to={paths.reports}>Reports</Link>} actions={button}>
      <div className={classes.report}>
        <div className={classes.side}>
          <About report={report} />
          {report.status === 'ready' && <Download id={report.id} language={language} onLanguage={setChosen} />}
        </div>
        <div className={classes.document}>
          {report.status === 'pending' && <Note>The report is being made. It appears here when it is ready.</Note>}
          {report.status === 'ready' && <Document report={report} language={language} />}
        </div>
      </div>
      {mayWrite && dialog === 'delete' && (
        <Confirm
          title={`Delete ${report.title}?`}
          action="Delete"
          loading={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(report.id)}
          onClose={() => change({ dialog: '' })}
        >
          The report and its figures are removed. The findings stay as they are.
        </Confirm>
      )}
    </Page>
  );
}

export default function ReportPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(reportQuery(id));
  if (query.data) return <Loaded report={query.data} />;
  return (
    <Page title="Report">
      <Load query={query}>{() => null}</Load>
    </Page>
  );
}
