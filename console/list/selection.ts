import { useCallback, useState } from 'react';

export type Selection = {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Selects all rows between the last selected one and this one. */
  extendTo: (id: string, order: readonly string[]) => void;
  set: (ids: Iterable<string>) => void;
  clear: () => void;
};

/** The selected rows. The selection survives changes of the rows. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  return {
    ids,
    toggle: useCallback((id) => {
      setAnchor(id);
      setIds((old) => {
        const next = new Set(old);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    }, []),
    extendTo: useCallback(
      (id, order) => {
        const from = order.indexOf(anchor ?? id);
        const to = order.indexOf(id);
        const [first, last] = from < to ? [from, to] : [to, from];
        setIds((old) => new Set([...old, ...order.slice(Math.max(first, 0), last + 1)]));
        if (anchor === null) setAnchor(id);
      },
      [anchor],
    ),
    set: useCallback((next) => setIds(new Set(next)), []),
    clear: useCallback(() => {
      setIds(new Set());
      setAnchor(null);
    }, []),
  };
}

/**
 * The selection of all matching rows, including every loaded row. Deselecting a row turns it into a selection of the
 * other loaded rows; `leave` ends it.
 */
export function selectionOfAll(selection: Selection, rows: readonly { id: string }[], leave: () => void): Selection {
  const ids = new Set(rows.map(({ id }) => id));
  const set = (next: Iterable<string>) => {
    leave();
    selection.set(next);
  };
  return {
    ids,
    toggle: (id) => set([...ids].filter((other) => other !== id)),
    extendTo: () => {},
    set,
    clear: leave,
  };
}
