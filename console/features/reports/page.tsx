import type { Report } from '@assay/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { readFilters } from '../../filters/parameters.ts';
import { useCommands } from '../../keys/registry.ts';
import { List, type ListColumn } from '../../list/list.tsx';
import { Named, Remark } from '../../list/named.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { Coverage } from './coverage.tsx';
import { ReportStatusMark } from './marks.tsx';
import { useReportPages } from './queries.ts';
import { ReportDialog } from './report-dialog.tsx';
import { ScheduledReports } from './scheduled-tab.tsx';
import { reportStatusNames } from './words.ts';

function useColumns(): ListColumn<Report>[] {
  const now = useNow();
  return [
    {
      title: 'Report',
      cell: ({ id, title, filters }) => (
        <Named note={<Coverage filters={filters} />}>
          <Link to={`${paths.reports}/$id`} params={{ id }}>
            {title}
          </Link>
        </Named>
      ),
      text: ({ title }) => title,
      by: ({ title }) => title,
    },
    {
      title: 'Status',
      width: '22%',
      phone: 'end',
      cell: ({ status, error }) => (
        <span title={error ?? undefined}>
          <ReportStatusMark status={status} />
          {error && <Remark>{error}</Remark>}
        </span>
      ),
      text: ({ status }) => reportStatusNames[status],
      by: ({ status }) => reportStatusNames[status],
    },
    {
      title: 'Findings',
      width: '84px',
      isNumber: true,
      phone: 'named line',
      cell: ({ summary }) => summary?.total.toLocaleString('en') ?? '–',
      text: ({ summary }) => summary?.total ?? '',
      by: ({ summary }) => summary?.total ?? -1,
    },
    {
      title: 'Made',
      width: '240px',
      phone: 'line',
      cell: ({ created_at, created_by, scheduled_report_id }) => (
        <>
          <Time at={created_at} now={now} />
          {scheduled_report_id ? ', by schedule' : created_by && `, by ${created_by.name}`}
        </>
      ),
      text: ({ created_at }) => created_at,
      by: ({ created_at }) => created_at,
    },
  ];
}

const MadeReports = ({ button }: { button: React.ReactNode }) => (
  <List
    label="Reports"
    name="reports"
    query={useReportPages()}
    columns={useColumns()}
    idOf={({ id }) => id}
    empty={
      <Empty title="No reports yet">
        <p>A report is a snapshot of your findings, as a document for an auditor or as data.</p>
        {button}
      </Empty>
    }
  />
);

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
    <Page
      title="Reports"
      tabs={[
        { label: 'Made', to: paths.reports, search: {}, current: !isScheduled },
        { label: 'Scheduled', to: paths.reports, search: { tab: 'scheduled' }, current: isScheduled },
      ]}
      actions={isScheduled ? null : button}
    >
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
