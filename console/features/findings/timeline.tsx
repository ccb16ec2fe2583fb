import type { FindingChange, FindingComment } from '@assay/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Failure, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './detail.module.css';
import { Part } from './part.tsx';
import { fieldNames, statusNames } from './words.ts';

const Markdown = lazy(() => import('./markdown.tsx'));

type Entry = { at: string; key: string } & (
  | { change: FindingChange; comment?: never }
  | { comment: FindingComment; change?: never }
);

const display = (field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (field === 'status') return (statusNames as Record<string, string>)[String(value)] ?? String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  if (typeof value === 'object') return String((value as { name?: string }).name ?? JSON.stringify(value));
  return String(value);
};

function ChangeEntry({ change }: { change: FindingChange }) {
  return (
    <>
      <div className={classes.entryHead}>
        <strong>{change.actor.name ?? 'Assay'}</strong>
        <Time at={change.at} />
      </div>
      {change.changes.map(({ field, from, to }) => (
        <div key={field}>
          {fieldNames[field] ?? field.replaceAll('_', ' ')}: {display(field, from)} → <b>{display(field, to)}</b>
        </div>
      ))}
    </>
  );
}

function CommentEntry({ comment }: { comment: FindingComment }) {
  return (
    <>
      <div className={classes.entryHead}>
        <strong>{comment.author?.name ?? 'Assay'}</strong>
        <Time at={comment.created_at} />
      </div>
      <div className={classes.comment}>
        <Suspense fallback={comment.comment}>
          <Markdown text={comment.comment} />
        </Suspense>
      </div>
    </>
  );
}

const pageSize = 100;

function useTimeline(id: string) {
  const history = useInfiniteQuery({
    queryKey: ['finding', id, 'timeline', 'history'],
    queryFn: ({ pageParam, signal }) =>
      assay.findings.history(id, { limit: pageSize, ...(pageParam && { next_cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const comments = useInfiniteQuery({
    queryKey: ['finding', id, 'timeline', 'comments'],
    queryFn: ({ pageParam, signal }) =>
      assay.findings.comments(id, { limit: pageSize, ...(pageParam && { next_cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const entries: Entry[] = [
    ...(history.data?.pages.flatMap(({ data }) => data) ?? []).map((change) => ({
      at: change.at,
      key: change.id,
      change,
    })),
    ...(comments.data?.pages.flatMap(({ data }) => data) ?? []).map((comment) => ({
      at: comment.created_at,
      key: comment.id,
      comment,
    })),
  ].sort((one, other) => (one.at < other.at ? -1 : 1));
  return { history, comments, entries };
}

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

/** The changes and comments of a finding in one timeline, with a field for a new comment. */
export function Timeline({ id }: { id: string }) {
  const { history, comments, entries } = useTimeline(id);
  const mayComment = useMay('findings:write');
  const failed = history.error ?? comments.error;
  const more = history.hasNextPage || comments.hasNextPage;
  return (
    <Part title="Timeline">
      {failed ? <Failure error={failed} onRetry={() => void history.refetch()} /> : null}
      {history.isPending && <Skeleton rows={3} />}
      <ol className={classes.timeline}>
        {entries.map(({ key, change, comment }) => (
          <li key={key} className={classes.entry}>
            {change ? <ChangeEntry change={change} /> : <CommentEntry comment={comment} />}
          </li>
        ))}
      </ol>
      {more && (
        <Button
          size="xs"
          onClick={() => {
            if (history.hasNextPage) void history.fetchNextPage();
            if (comments.hasNextPage) void comments.fetchNextPage();
          }}
        >
          Show more
        </Button>
      )}
      {mayComment && <CommentForm id={id} />}
    </Part>
  );
}
