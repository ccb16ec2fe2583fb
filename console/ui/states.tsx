import type { ReactNode } from 'react';
import { explain } from '../api/errors.ts';
import { Button } from './button.tsx';
import classes from './states.module.css';

/** An empty state: nothing yet, or no matches, with the next step. */
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
  /**
   * Whether the person can correct the input. The request id is then shown only for temporary errors, such as a failure
   * of the server.
   */
  isInput?: boolean;
  /** Whether an API field's errors are already shown at a field. */
  isShown?: (field: string) => boolean;
};

/** An error as a sentence, with its request id and, if it may be temporary, a button to try again. */
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

/** Grey bars in place of loading content, after 150 ms. `shown` is the text above them. */
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

/** Shows a query's content, its loading state or its error. */
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
