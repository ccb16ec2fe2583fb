/** The last change in flight of each finding. */
const turns = new Map<string, Promise<unknown>>();

/** Whether a change of a finding is in flight. */
export const isSaving = (id: string): boolean => turns.has(id);

/** Runs a change of a finding after those in flight. */
export function inTurn<T>(id: string, run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(run, run);
  turns.set(id, turn);
  const end = () => {
    if (turns.get(id) === turn) turns.delete(id);
  };
  turn.then(end, end);
  return turn;
}
