import type { Report } from '@assay/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { readFilters } from '../../filters/parameters.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { Coverage } from './coverage.tsx';
import { ReportStatusMark } from './marks.tsx';
import { useReportPages } from './queries.ts';
import { ReportDialog } from './report-dialog.tsx';
import classes from './reports.module.css';
import { ScheduledReports } from './scheduled-tab.tsx';

function useColumns(): Column<Report>[] {
  const now = useNow();
  return [
    {
      title: 'Report',
      cell: ({ id, title, filters }) => (
        <>
          <Link to={`${paths.reports}/$id`} params={{ id }}>
            {title}
          </Link>
          <span className={classes.muted}>
            <Coverage filters={filters} />
          </span>
        </>
      ),
    },
    {
      title: 'Status',
      cell: ({ status, error }) => (
        <>
          <ReportStatusMark status={status} />
          {error && <span className={classes.error}>{error}</span>}
        </>
      ),
    },
    { title: 'Findings', cell: ({ summary }) => summary?.total.toLocaleString('en') ?? '–' },
    {
      title: 'Made',
      cell: ({ created_at, created_by, scheduled_report_id }) => (
        <>
          <Time at={created_at} now={now} />
          {scheduled_report_id ? ', by schedule' : created_by && `, by ${created_by.name}`}
        </>
      ),
    },
  ];
}

function MadeReports({ button }: { button: React.ReactNode }) {
  const query = useReportPages();
  const columns = useColumns();
  return (
    <>
      <Load query={query}>
        {(reports) =>
          reports.length === 0 ? (
            <Empty title="No reports yet">
              <p>A report keeps what is true at this moment, as a document for an auditor or as data.</p>
              {button}
            </Empty>
          ) : (
            <Table label="Reports" columns={columns} rows={reports} keyOf={({ id }) => id} />
          )
        }
      </Load>
      <More query={query} />
    </>
  );
}

export default function ReportsPage() {
  const [search, change] = useUrl();
  const navigate = useNavigate();
  const mayWrite = useMay('reports:write');
  const filters = readFilters(search as Record<string, string>);
  const isScheduled = search.tab === 'scheduled';
  const add = () => change({ add: 'report' });
  useCommands(mayWrite ? [{ keys: ['n'], label: 'Make a report', section: 'Reports', run: add }] : []);
  const button = mayWrite && (
    <Button kind="primary" icon={IconPlus} onClick={add}>
      Make a report
    </Button>
  );
  return (
    <Page title="Reports" lead="Snapshots of findings, ready to share." actions={button}>
      <Tabs
        label="Reports"
        tabs={[
          { label: 'Made', to: paths.reports, search: {}, current: !isScheduled },
          { label: 'Scheduled', to: paths.reports, search: { tab: 'scheduled' }, current: isScheduled },
        ]}
      />
      {isScheduled ? <ScheduledReports /> : <MadeReports button={button} />}
      {mayWrite && search.add === 'report' && (
        <ReportDialog
          from={filters}
          onCreated={({ id }) => void navigate({ to: `${paths.reports}/$id`, params: { id } })}
          onClose={() => change({ ...Object.fromEntries(Object.keys(filters).map((name) => [name, ''])), add: '' })}
        />
      )}
    </Page>
  );
}
