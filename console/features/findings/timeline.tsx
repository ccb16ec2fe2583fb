import type { FindingComment, TimelineEntry } from '@assay/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay, useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/choice-fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { changedField, isFirstSighting, useChangedValue } from './change-words.ts';
import classes from './detail.module.css';
import { Part } from './part.tsx';

const Markdown = lazy(() => import('./markdown.tsx'));

type DisplayValue = ReturnType<typeof useChangedValue>;

function Changes({ changes, display }: { changes: TimelineEntry['changes']; display: DisplayValue }) {
  if (isFirstSighting({ changes })) return <div>Found.</div>;
  return changes.map(({ field, from, to }) => (
    <div key={field}>
      {changedField(field)}: {display(field, from)} → <b>{display(field, to)}</b>
    </div>
  ));
}

const renew = (id: string) => queryClient.invalidateQueries({ queryKey: ['finding', id] });

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
      loading={save.isPending}
      error={save.error}
      disabledReason={text.trim() === '' ? 'Write something first.' : null}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      <TextArea label="Comment" rows={3} value={text} onChange={setText} />
    </Form>
  );
}

/** A comment; its author may edit and delete it, which leaves a mark. */
function Comment({ comment }: { comment: FindingComment }) {
  const { id: me } = useProfile();
  const mayWrite = useMay('findings:write');
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
      <div className={classes.comment}>
        <Suspense fallback={comment.comment}>
          <Markdown text={comment.comment} />
        </Suspense>
      </div>
      <div className={classes.entryHead}>
        {comment.edited_at !== null && <span>edited</span>}
        {mayWrite && comment.author?.id === me && (
          <>
            <button type="button" className={classes.linkButton} onClick={() => setEditing(true)}>
              Edit
            </button>
            <button type="button" className={classes.linkButton} onClick={() => remove.mutate()}>
              Delete
            </button>
          </>
        )}
      </div>
    </>
  );
}

/** The author of a change: a person, the platform, or a scan of a data source. */
function Actor({ entry: { actor, data_source } }: { entry: TimelineEntry }) {
  if (data_source === null || actor.id === null) return actor.name ?? 'Assay';
  return (
    <Link to={`${paths.scans}/$id`} params={{ id: actor.id }}>
      Scan of {data_source.name}
    </Link>
  );
}

function Entry({ entry, display }: { entry: TimelineEntry; display: DisplayValue }) {
  return (
    <li className={classes.entry}>
      <div className={classes.entryHead}>
        <strong>
          <Actor entry={entry} />
        </strong>
        <Time at={entry.at} />
      </div>
      {entry.comment ? <Comment comment={entry.comment} /> : <Changes changes={entry.changes} display={display} />}
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
    <Form
      submit="Comment"
      loading={send.isPending}
      error={send.error}
      disabledReason={text.trim() === '' ? 'Write something first.' : null}
      onSubmit={() => send.mutate()}
    >
      <TextArea label="Comment" placeholder="Markdown" rows={3} name="comment" value={text} onChange={setText} />
    </Form>
  );
}

/** A finding's changes and comments in one order, with a form for another comment. */
export default function Timeline({ id }: { id: string }) {
  const mayComment = useMay('findings:write');
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
    <Part title="Timeline">
      {timeline.error ? <Failure error={timeline.error} onRetry={() => void timeline.refetch()} /> : null}
      {timeline.isPending && <Skeleton rows={3} />}
      <ol className={classes.timeline}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} display={display} />
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
