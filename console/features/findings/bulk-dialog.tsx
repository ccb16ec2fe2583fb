import type { BulkOperation, FindingBulkUpdate } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { unlessLive } from '../../api/live.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { sayFilters } from '../../filters/describe.ts';
import type { Filters } from '../../filters/filters.ts';
import { filtersAt, toBody } from '../../filters/parameters.ts';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Load } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { justificationNames } from '../decisions/words.ts';
import { renewAll, undoBulk } from './bulk-undo.ts';
import { type Change, describe, describeBefore } from './changes.ts';
import classes from './page.module.css';
import { offerUndo } from './undo.ts';
import { formatCount, plural, severityNames, statusNames } from './words.ts';

/** Above this number of findings, the person must type the number to confirm. */
const typedAbove = 1_000;
const pollMs = 1_000;
/** The interval while events arrive, which trigger the reads. */
const slowPollMs = 5_000;
const isRunning = (operation: BulkOperation) => operation.status === 'queued' || operation.status === 'running';

/**
 * Announces the completed change and offers to undo it: here for ten seconds, in the list of bulk changes for a day.
 */
function announce({ id, change, updated, undoable_until }: BulkOperation): void {
  renewAll();
  const text = describe(change as Change, updated);
  if (undoable_until === null) showToast(text);
  else offerUndo(text, () => undoBulk(id));
}

type CountsProps = { title: string; counts: Record<string, number> | null; names: Record<string, string> };

function Counts({ title, counts, names }: CountsProps) {
  const parts = Object.entries(counts ?? {}).filter(([, count]) => count > 0);
  const texts = parts.map(([name, count]) => `${formatCount(count)} ${(names[name] ?? name).toLowerCase()}`);
  return (
    <div>
      {title}: {texts.join(' · ')}
    </div>
  );
}

/** Says why findings are dismissed, and until when: "Test or example code. Only for tests. Until 1 Mar 2027." */
function whyWords({ justification, comment, accepted_until: until }: Change): string {
  const parts = [
    justification && `${justificationNames[justification]}.`,
    comment,
    until === null && 'No end.',
    until && `Until ${formatDay(until)}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The server asks for at least one filter: without any, findings of every status are meant. */
const givenOf = (filters: Filters): Filters =>
  Object.keys(filters).length === 0 ? { status: Object.keys(statusNames).join() } : filters;

type BulkDialogProps = { filters: Filters; change: Change; onDone: () => void; onClose: () => void };

/** Previews a change of all matching findings, then shows its progress. The preview fixes the set of findings. */
export default function BulkDialog({ filters, change, onDone, onClose }: BulkDialogProps) {
  const [typed, setTyped] = useState('');
  // The time that relative times in the preview and the change refer to.
  const [now] = useState(serverNow);
  const updateWith = (more: object) =>
    ({ filter: toBody(filtersAt(givenOf(filters), now)), ...change, ...more }) as FindingBulkUpdate;
  const { assignee } = change;
  const members = useQuery({ ...memberChoicesQuery, enabled: typeof assignee === 'string' });
  const name = members.data?.find(({ id }) => id === assignee)?.name;
  const grammar = useGrammar(filters, false);
  const why = change.status === undefined ? '' : whyWords(change);
  const said = sayFilters(filters, nameIn(grammar));
  const preview = useQuery({
    queryKey: ['bulk-preview', filters, change],
    queryFn: ({ signal }) => assay.findings.updateMany(updateWith({ dry_run: true }), { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const start = useMutation({
    mutationFn: () => {
      const { as_of, matched } = preview.data!;
      return assay.findings.updateMany(updateWith({ as_of, expected_count: matched }));
    },
    onSuccess: ({ operation }) => {
      if (operation && isRunning(operation)) return;
      if (operation) announce(operation);
      else showToast('Nothing had to change.');
      onDone();
    },
  });
  const id = start.data?.operation?.id;
  const running = useQuery({
    queryKey: ['bulk-operation', id],
    queryFn: async () => {
      const operation = await assay.bulkOperations.get(id!);
      if (!isRunning(operation)) {
        if (operation.error === null) announce(operation);
        else showToast(operation.error);
        onDone();
      }
      return operation;
    },
    enabled: id !== undefined && start.data?.operation != null && isRunning(start.data.operation),
    refetchInterval: () => unlessLive(pollMs) || slowPollMs,
    gcTime: 0,
  });
  if (id !== undefined) {
    const percent = running.data?.percent ?? 0;
    return (
      <Dialog title="Changing findings" onClose={onDone}>
        <p role="status">
          {formatCount(running.data?.processed ?? 0)} of {formatCount(start.data?.matched ?? 0)}. It continues when you
          close this.
        </p>
        <Progress label="Progress" percent={percent} />
      </Dialog>
    );
  }
  return (
    <Dialog title={describeBefore(change, 'everything that matches', name)} size="lg" onClose={onClose}>
      <Load query={preview} rows={6}>
        {({ matched, unchanged, by_severity, by_status, samples }) => {
          const mustType = matched - unchanged > typedAbove;
          const isTyped = typed.replaceAll(/[\s.,]/g, '') === String(matched);
          return (
            <Form
              submit={describeBefore(change, plural(matched - unchanged, 'finding'), name)}
              loading={start.isPending}
              error={start.error}
              disabledReason={
                matched === unchanged
                  ? 'All of them already have these values.'
                  : mustType && !isTyped
                    ? 'Type the number first.'
                    : null
              }
              autoFocus={!mustType}
              onCancel={onClose}
              onSubmit={() => start.mutate()}
            >
              {why !== '' && <p>{why}</p>}
              <p>{said.length > 0 ? said.join(' · ') : 'No filters: all findings'}</p>
              <p>
                <strong>{plural(matched, 'finding matches', 'findings match')}.</strong>{' '}
                {unchanged > 0 && `${formatCount(unchanged)} of them already have these values.`}
              </p>
              <div>
                <Counts title="Severity" counts={by_severity} names={severityNames} />
                <Counts title="Status" counts={by_status} names={statusNames} />
              </div>
              <ul className={classes.samples} aria-label="Examples">
                {(samples ?? []).map((finding) => (
                  <li key={finding.id}>{finding.title}</li>
                ))}
              </ul>
              {mustType && (
                <TextField
                  label={`Type ${formatCount(matched)} to continue`}
                  inputMode="numeric"
                  value={typed}
                  autoFocus
                  onChange={setTyped}
                />
              )}
            </Form>
          );
        }}
      </Load>
    </Dialog>
  );
}
