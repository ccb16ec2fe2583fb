import type { ReactNode } from 'react';
import { explain } from '../api/errors.ts';
import { Button } from './button.tsx';
import classes from './states.module.css';

/** Says that there is nothing yet, or that nothing matches, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.state}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type FailureProps = {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** Whether the person corrects what they entered: then only what may pass, such as a failure of the server, has an id. */
  isInput?: boolean;
  /** Whether the field of the API shows what was said about it. */
  isShown?: (field: string) => boolean;
};

/** An error as a sentence, with its request id and, where it may pass, a button that tries again. */
export function Failure({ error, onRetry, isInput = false, isShown }: FailureProps) {
  const { message, requestId, mayPass } = explain(error, isShown);
  return (
    <div role="alert" className={classes.error}>
      <p>
        {message}
        {requestId && (mayPass || !isInput) && <span className={classes.muted}> Request {requestId}</span>}
      </p>
      {onRetry && mayPass && (
        <Button size="xs" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** A remark in a box. */
export function Note({ children, kind = 'plain' }: { children: ReactNode; kind?: 'plain' | 'warning' }) {
  return <div className={kind === 'warning' ? `${classes.note} ${classes.warning}` : classes.note}>{children}</div>;
}

/** Grey bars in place of content that is loading; they appear after 150 ms. What is `shown` is said above them. */
export function Skeleton({ rows = 5, shown }: { rows?: number; shown?: string }) {
  return (
    <div className={classes.skeleton} role="status">
      {shown ? <span>{shown}</span> : <span className="visually-hidden">Loading</span>}
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <div key={index} className={classes.bar} />
      ))}
    </div>
  );
}

type Loaded<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

/** Shows a query's content, or that it is loading or has failed. */
export function Load<T>({
  query,
  rows,
  children,
}: {
  query: Loaded<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failure error={query.error} onRetry={() => query.refetch()} />;
  return <Skeleton {...(rows !== undefined && { rows })} />;
}
