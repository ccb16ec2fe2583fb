import { showError, showToast } from '../../ui/toasts.tsx';

/** `run` may return a sentence about the outcome; `hide` removes the toast that offers the undo. */
type Undo = { run: () => Promise<string | undefined>; until: number; hide: () => void };

/** The time in which a change can be undone with a key, in milliseconds. */
const undoMs = 10_000;
let stack: Undo[] = [];

/** Changes in flight, which can be undone once they are applied. */
const onTheirWay = new Set<Promise<unknown>>();

/** Makes `undoLast` wait for the end of a change, so that it does not undo an earlier one. */
export function awaitBeforeUndo(change: Promise<unknown>): void {
  const end = () => void onTheirWay.delete(change);
  onTheirWay.add(change);
  change.then(end, end);
}

/** Undoes the last change if it was made within the last ten seconds. */
export async function undoLast(): Promise<void> {
  if (onTheirWay.size > 0) await Promise.allSettled(onTheirWay);
  stack = stack.filter(({ until }) => until > Date.now());
  const last = stack.pop();
  if (!last) {
    showToast('Nothing to undo.');
    return;
  }
  last.hide();
  last.run().then((text) => void showToast(text ?? 'Undone.'), showError);
}

/** Announces a change and offers to undo it. */
export function offerUndo(text: string, run: Undo['run']): void {
  const entry = { run, until: Date.now() + undoMs, hide: () => {} };
  stack = [...stack.filter(({ until }) => until > Date.now()), entry];
  entry.hide = showToast(text, {
    label: 'Undo (z)',
    run: () => {
      if (!stack.includes(entry)) return;
      stack = [...stack.filter((other) => other !== entry), entry];
      void undoLast();
    },
  });
}
