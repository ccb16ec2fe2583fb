import { useEffect, useRef } from 'react';

/** An action of this page, run by its key or from the list of commands. */
export type Command = {
  /**
   * `j`, `Shift+j`, `Ctrl+k`, `g o` (in succession); several are alternatives. Without a key, the command is only in
   * the list.
   */
  keys?: string[];
  label: string;
  /** The heading under which it is listed. */
  section: string;
  run: () => void;
  /** Hidden from the list of commands, for example moves within a list. */
  unlisted?: boolean;
};

const groups = new Map<symbol, Command[]>();
const listeners = new Set<() => void>();
let snapshot: readonly Command[] = [];
let singleKeys = true;
let pending: { key: string; at: number } | null = null;

/** The time within which the second key of `g o` must follow, in milliseconds. */
const sequenceMs = 1_200;

function renew() {
  // The last registered commands come first: a dialog's keys override those of its page.
  snapshot = [...groups.values()].reverse().flat();
  for (const listener of listeners) listener();
}

export const commands = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Command[] => snapshot,
};

/** Turns single keys on or off; those with Ctrl and Escape always work. */
export function setSingleKeys(on: boolean): void {
  singleKeys = on;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return true;
  }
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}

/** The name of a key in the notation of commands: `j`, `Shift+j`, `Ctrl+a`, `*`, `Enter`, `ArrowDown`. */
function keyName(event: KeyboardEvent): string {
  const letter = event.key.length === 1 && event.key.toLowerCase() !== event.key.toUpperCase();
  const key = event.key === ' ' ? 'Space' : letter ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && (letter || event.key.length > 1) ? 'Shift+' : '';
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift}${key}`;
}

const find = (name: string) => snapshot.find(({ keys }) => keys?.includes(name));

/** Controls in which these keys have their own meaning. */
function belongsToControl(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (!['Enter', 'Space', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(name))
    return false;
  const control = target.closest('button, a[href], input, select, textarea, summary, [role="tab"], [role="menuitem"]');
  return control !== null;
}

/**
 * Whether a dialog was open when the key was pressed. A dialog that Escape closes is gone by the time the page receives
 * the key.
 */
let wasModal = false;
const noteModal = () => {
  wasModal = document.querySelector('[aria-modal="true"]') !== null;
};

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
  const name = keyName(event);
  const always = name.startsWith('Ctrl+') || name === 'Escape';
  if (!always && (!singleKeys || isTyping(event.target))) return;
  if (name !== 'Ctrl+k' && isTyping(event.target)) return;
  if (wasModal && name !== 'Ctrl+k') return;
  const sequence = pending && event.timeStamp - pending.at < sequenceMs ? find(`${pending.key} ${name}`) : undefined;
  pending = null;
  const command = sequence ?? (belongsToControl(event.target, name) ? undefined : find(name));
  if (command) {
    event.preventDefault();
    command.run();
  } else if (snapshot.some(({ keys }) => keys?.some((key) => key.startsWith(`${name} `)))) {
    pending = { key: name, at: event.timeStamp };
  }
}

/** Listens to the keyboard; returns a function that stops listening. */
export function listenToKeys(): () => void {
  window.addEventListener('keydown', noteModal, { capture: true });
  document.addEventListener('keydown', onKeyDown);
  return () => {
    window.removeEventListener('keydown', noteModal, { capture: true });
    document.removeEventListener('keydown', onKeyDown);
  };
}

/** Offers commands for as long as the component is mounted. They may change with every render. */
export function useCommands(list: Command[]): void {
  const current = useRef(list);
  current.current = list;
  const shape = list.map(({ keys, label, section }) => `${keys?.join()}|${label}|${section}`).join('\n');
  useEffect(() => {
    const id = Symbol(shape);
    groups.set(
      id,
      current.current.map((command, index) => ({ ...command, run: () => current.current[index]?.run() })),
    );
    renew();
    return () => {
      groups.delete(id);
      renew();
    };
  }, [shape]);
}
