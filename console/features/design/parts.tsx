import { useState } from 'react';
import { List, type ListColumn } from '../../list/list.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Menu } from '../../ui/menu.ts';
import { Section } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Empty, Failure, Note, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SeverityMark, StatusMark } from '../findings/marks.tsx';
import classes from './design.module.css';

type Example = { id: string; title: string; path: string; places: number };

const examples: Example[] = Array.from({ length: 4 }, (_, index) => ({
  id: String(index),
  title:
    index === 1
      ? 'Untrusted input reaches an SQL query in the approval of payments, unchecked'
      : 'JWT without algorithms',
  path: `src/routes/login-${index}.js:42`,
  places: 12 * index,
}));

const columns: ListColumn<Example>[] = [
  { title: 'Title', cell: ({ title }) => title, text: ({ title }) => title, by: ({ title }) => title },
  { title: 'Severity', width: '120px', cell: () => <SeverityMark severity="high" />, phone: 'end' },
  { title: 'Status', width: '140px', cell: () => <StatusMark status="triaged" />, phone: 'line' },
  { title: 'Path', width: '200px', cell: ({ path }) => path, text: ({ path }) => path, gives: 2 },
  { title: 'Places', width: '80px', isNumber: true, cell: ({ places }) => places, by: ({ places }) => places },
];

const loaded = { data: examples, error: null, refetch: () => {} };

/** Lists with rows, without any, and without a match. */
export function Lists() {
  return (
    <Section title="Rows">
      <List
        label="Examples"
        name="design"
        query={loaded}
        columns={columns}
        idOf={({ id }) => id}
        empty={null}
        actions={(rows) => <Button size="xs">Delete {rows.length}</Button>}
      />
    </Section>
  );
}

/** Shows a page while it loads, without content, and after a failure. */
export function States() {
  return (
    <>
      <Section title="Loading">
        <Skeleton rows={3} />
      </Section>
      <Section title="Empty">
        <Empty title="No finding matches these 4 filters">
          <p>Without tag:production there are 212.</p>
          <Button>Clear filters</Button>
        </Empty>
      </Section>
      <Section title="Failed">
        <Failure error={new Error('The server did not answer within 10 seconds.')} onRetry={() => {}} />
        <Note>Mail is not configured: copy the link instead.</Note>
        <Note kind="warning">EPSS is 9 days old.</Note>
      </Section>
      <Section title="Facts">
        <Facts
          entries={[
            ['Owner', 'Devika Rao'],
            ['Loaded', <Time key="at" at="2026-11-01T12:00:00Z" />],
            ['Reason', 'Reachable from inside only.'],
          ]}
        />
        <Progress label="Scan" percent={40} />
        <CodeBlock text={'curl -H "Authorization: Bearer asy_…" \\\n  https://assay.example.com/api/v1/findings'} />
        <CopyButton text="copied" />
      </Section>
      <Section title="Files">
        <DropZone what="a result file" hint="SARIF, CycloneDX and 40 more formats." onFile={() => {}} />
      </Section>
    </>
  );
}

/** Dialogs, menus and toasts. */
export function Floating() {
  const [dialog, setDialog] = useState<'dialog' | 'confirm' | null>(null);
  const close = () => setDialog(null);
  return (
    <Section title="Above the page">
      <div className={classes.row}>
        <Button onClick={() => setDialog('dialog')}>Dialog</Button>
        <Button onClick={() => setDialog('confirm')}>Confirmation</Button>
        <Button onClick={() => showToast('Triaged: SQL injection in login.js', { label: 'Undo', run: () => {} })}>
          Message
        </Button>
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className="link">
              Menu
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>devika@example.com</Menu.Label>
            <Menu.Item>Profile</Menu.Item>
            <Menu.Divider />
            <Menu.Item>Sign out</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {dialog === 'dialog' && (
        <Dialog title="Columns" onClose={close}>
          The content of a dialog.
        </Dialog>
      )}
      {dialog === 'confirm' && (
        <Confirm title="Delete shop?" action="Delete" loading={false} error={null} onConfirm={close} onClose={close}>
          Its 12 open findings become resolved.
        </Confirm>
      )}
    </Section>
  );
}
