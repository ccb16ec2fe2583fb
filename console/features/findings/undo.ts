import { showError, showToast } from '../../ui/toasts.tsx';

/** `run` may return a sentence on what it did; `hide` takes away the toast that offers it. */
type Undo = { run: () => Promise<string | undefined>; until: number; hide: () => void };

/** The time in which a change can be undone with a key, in milliseconds. */
const undoMs = 10_000;
let stack: Undo[] = [];

/** Undoes the last change, when it was made within the last ten seconds. */
export function undoLast(): void {
  stack = stack.filter(({ until }) => until > Date.now());
  const last = stack.pop();
  if (!last) {
    showToast('There is nothing to undo.');
    return;
  }
  last.hide();
  last.run().then((text) => void showToast(text ?? 'Undone.'), showError);
}

/** Says what was done and offers to undo it. */
export function offerUndo(text: string, run: Undo['run']): void {
  const entry = { run, until: Date.now() + undoMs, hide: () => {} };
  stack = [...stack.filter(({ until }) => until > Date.now()), entry];
  entry.hide = showToast(text, {
    label: 'Undo (z)',
    run: () => {
      if (!stack.includes(entry)) return;
      stack = [...stack.filter((other) => other !== entry), entry];
      undoLast();
    },
  });
}
