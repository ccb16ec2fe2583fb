import { operationOf, type Statement } from './statement.ts';

/** A finished statement: its name, or its first word if it has none; several that were sent together, with a + between. */
type WatchedStatement = { statement: string; orgId: string | null; elapsedMs: number };

let watcher: ((ended: WatchedStatement) => void) | null = null;

/** Calls `watch` with each finished statement of this process; null stops that. */
export function watchStatements(watch: typeof watcher): void {
  watcher = watch;
}

/**
 * Measures the statements of one connection. They may be sent one after another without waiting: the time of a statement
 * starts when the previous one has ended.
 */
export class StatementTimes {
  #lastEndedAt = 0;

  /** Returns the function to call when the statements have ended. */
  begin(statements: Statement[], orgId: string | null): () => void {
    if (watcher === null) return () => {};
    const sentAt = performance.now();
    return () => {
      const startedAt = Math.max(sentAt, this.#lastEndedAt);
      this.#lastEndedAt = performance.now();
      const names = statements.map(({ name, text }) => name ?? operationOf(text));
      if (names[0] === 'BEGIN' || names[0] === 'SET') return;
      watcher?.({ statement: names.join(' + '), orgId, elapsedMs: this.#lastEndedAt - startedAt });
    };
  }
}
