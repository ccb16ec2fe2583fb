import type { FindingComment, FindingDetail, FindingStatus, FindingUpdate, TimelineEntry } from '@assay/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay, useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/choice-fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconArrowRight, IconShieldSearch } from '../../ui/icons.ts';
import { Failure, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { changedField, isFirstSighting, useChangedValue } from './change-words.ts';
import { Part } from './part.tsx';
import classes from './timeline.module.css';

const Markdown = lazy(() => import('./markdown.tsx'));

/** Restores a finding to its state before a change. */
export type Revert = (finding: FindingDetail, change: FindingUpdate) => void;

type DisplayValue = ReturnType<typeof useChangedValue>;

const renew = (id: string) => queryClient.invalidateQueries({ queryKey: ['finding', id] });

/** Returns the change that reverts an entry: the fields that people decide and that still have the entry's values. */
function takenBack(finding: FindingDetail, { changes, data_source }: TimelineEntry): FindingUpdate | null {
  if (data_source !== null || isFirstSighting({ changes })) return null;
  const back: FindingUpdate = {};
  const before = (name: string) => changes.find(({ field }) => field === name)?.from;
  const now: Record<string, unknown> = {
    status: finding.status,
    assignee: finding.assignee?.id ?? null,
    tags: finding.tags,
  };
  for (const { field, from, to } of changes) {
    if (!(field in now) || JSON.stringify(now[field]) !== JSON.stringify(to)) continue;
    if (field === 'status') {
      back.status = from as FindingStatus;
      const until = before('accepted_until');
      if (from === 'accepted_risk' && typeof until === 'string') back.accepted_until = until;
    } else if (field === 'assignee') back.assignee = from as string | null;
    else back.tags = from as string[];
  }
  return Object.keys(back).length === 0 ? null : back;
}

/** A person's initials: the first letters of their first and last name. */
const initials = (name: string) => {
  const parts = name.trim().split(/\s+/);
  return [parts[0], parts.length > 1 ? parts.at(-1) : '']
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
};

const Avatar = ({ name }: { name: string }) => (
  <span className={classes.avatar} aria-hidden>
    {initials(name)}
  </span>
);

function EditForm({ comment, onClose }: { comment: FindingComment; onClose: () => void }) {
  const [text, setText] = useState(comment.comment);
  const save = useMutation({
    mutationFn: () => assay.findings.updateComment(comment.finding_id, comment.id, { comment: text.trim() }),
    onSuccess: () => {
      void renew(comment.finding_id);
      onClose();
    },
  });
  return (
    <Form
      submit="Save"
      kind="secondary"
      loading={save.isPending}
      error={save.error}
      disabledReason={text.trim() === '' ? 'Enter a comment first.' : null}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <TextArea label="Comment" rows={3} value={text} onChange={setText} />
    </Form>
  );
}

/** A comment. Its author may edit and delete it; a deletion leaves a placeholder. */
function Comment({ comment }: { comment: FindingComment }) {
  const { id: me } = useProfile();
  const mayWrite = useMay('findings:comment');
  const [editing, setEditing] = useState(false);
  const remove = useMutation({
    mutationFn: () => assay.findings.deleteComment(comment.finding_id, comment.id),
    onSuccess: () => renew(comment.finding_id),
    onError: showError,
  });
  if (comment.deleted_at !== null) return <p className={classes.muted}>This comment was deleted.</p>;
  if (editing) return <EditForm comment={comment} onClose={() => setEditing(false)} />;
  return (
    <>
      <Suspense fallback={comment.comment}>
        <Markdown text={comment.comment} />
      </Suspense>
      {(comment.edited_at !== null || (mayWrite && comment.author?.id === me)) && (
        <div className={classes.own}>
          {comment.edited_at !== null && <span>edited</span>}
          {mayWrite && comment.author?.id === me && (
            <>
              <button type="button" onClick={() => setEditing(true)}>
                Edit
              </button>
              <button type="button" onClick={() => remove.mutate()}>
                Delete
              </button>
            </>
          )}
        </div>
      )}
    </>
  );
}

/** The author of a change: a person, the platform, or a scan of a data source. */
function Actor({ entry: { actor, data_source } }: { entry: TimelineEntry }) {
  if (data_source === null || actor.id === null) return <b>{actor.name ?? 'Assay'}</b>;
  return (
    <Link to={`${paths.scans}/$id`} params={{ id: actor.id }}>
      Scan of {data_source.name}
    </Link>
  );
}

function Said({ entry, display }: { entry: TimelineEntry; display: DisplayValue }) {
  if (entry.comment) {
    return (
      <>
        <Actor entry={entry} /> commented
      </>
    );
  }
  const by = (word: string): ReactNode => (
    <>
      {word} by <Actor entry={entry} />
    </>
  );
  if (isFirstSighting(entry)) return by('Found');
  return entry.changes.map(({ field, from, to }, index) => (
    <span key={field} className={classes.change}>
      {changedField(field)}: {display(field, from)} →{' '}
      <b>
        {field === 'decision' && to ? (
          <Link to={paths.decisions} search={{ open: to } as never}>
            {display(field, to)}
          </Link>
        ) : (
          display(field, to)
        )}
      </b>
      {index === entry.changes.length - 1 && by(',')}
    </span>
  ));
}

type EntryProps = { entry: TimelineEntry; display: DisplayValue; finding: FindingDetail; onRevert: Revert | undefined };

function Entry({ entry, display, finding, onRevert }: EntryProps) {
  const back = onRevert ? takenBack(finding, entry) : null;
  const Icon = entry.data_source ? IconShieldSearch : IconArrowRight;
  return (
    <li className={classes.entry}>
      {entry.comment ? (
        <Avatar name={entry.actor.name ?? 'Assay'} />
      ) : (
        <Icon size={16} stroke={1.5} className={classes.icon} aria-hidden />
      )}
      <div className={classes.said}>
        <Said entry={entry} display={display} />
      </div>
      <span className={classes.when}>
        <Time at={entry.at} />
        {back && (
          <button type="button" onClick={() => onRevert!(finding, back)}>
            Revert
          </button>
        )}
      </span>
      {entry.comment && (
        <div className={classes.comment}>
          <Comment comment={entry.comment} />
        </div>
      )}
    </li>
  );
}

const pageSize = 100;

/** Writes a comment. */
function CommentForm({ id }: { id: string }) {
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () => assay.findings.comment(id, { comment: text.trim() }),
    onSuccess: () => {
      setText('');
      void queryClient.invalidateQueries({ queryKey: ['finding', id] });
    },
  });
  return (
    <div className={classes.compose}>
      <Form
        submit="Comment"
        kind="secondary"
        loading={send.isPending}
        error={send.error}
        disabledReason={text.trim() === '' ? 'Enter a comment first.' : null}
        onSubmit={() => send.mutate()}
        extra={<span className={classes.hint}>Markdown. Ctrl Enter sends.</span>}
      >
        <TextArea label="Comment" placeholder="Comment" rows={2} name="comment" value={text} onChange={setText} />
      </Form>
    </div>
  );
}

type TimelineProps = { finding: FindingDetail; onRevert: Revert | undefined };

/** A finding's changes and comments in order, with a form for a new comment. */
export default function Timeline({ finding, onRevert }: TimelineProps) {
  const { id } = finding;
  const mayComment = useMay('findings:comment');
  const timeline = useInfiniteQuery({
    queryKey: ['finding', id, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      assay.findings.timeline(id, { limit: pageSize, ...(pageParam && { next_cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const entries = timeline.data?.pages.flatMap(({ data }) => data) ?? [];
  const display = useChangedValue(entries);
  return (
    <Part title="Activity" ruled>
      {timeline.error ? <Failure error={timeline.error} onRetry={() => void timeline.refetch()} /> : null}
      {timeline.isPending && <Skeleton rows={3} />}
      <ol className={classes.timeline}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} display={display} finding={finding} onRevert={onRevert} />
        ))}
      </ol>
      {timeline.hasNextPage && (
        <Button size="xs" onClick={() => void timeline.fetchNextPage()}>
          Show more
        </Button>
      )}
      {mayComment && <CommentForm id={id} />}
    </Part>
  );
}
