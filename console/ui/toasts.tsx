import { useSyncExternalStore } from 'react';
import { explain } from '../api/errors.ts';
import classes from './toasts.module.css';

type Toast = { id: number; text: string; action?: { label: string; run: () => void } };

const maxToasts = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

const remove = (id: number) => set(toasts.filter((toast) => toast.id !== id));

/**
 * Shows a sentence at the edge of the page for ten seconds, optionally with an action. Returns a function that removes
 * it earlier.
 */
export function showToast(text: string, action?: Toast['action']): () => void {
  const id = ++lastId;
  set([...toasts, { id, text, ...(action && { action }) }].slice(-maxToasts));
  setTimeout(() => remove(id), 10_000);
  return () => remove(id);
}

export function showError(error: unknown): void {
  showToast(explain(error).message);
}

/** The region in which toasts appear; screen readers announce them. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className={classes.stack} role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div key={id} className={classes.toast}>
          <p>{text}</p>
          {action && (
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                action.run();
                remove(id);
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
