import type { Filters } from '../../filters/fields.ts';
import { isSame } from '../../filters/filters.ts';
import { useCommands } from '../../keys/registry.ts';
import classes from './page.module.css';
import { defaultSort, type FindingsState } from './state.ts';

export type ListView = { id: string; name: string; filters: Filters; sort: string | null };

const open = 'new,triaged,in_progress';

/** The views that everybody has. */
export const builtInViews: ListView[] = [
  { id: 'triage', name: 'Needs triage', filters: { status: 'new' }, sort: null },
  { id: 'mine', name: 'Mine', filters: { status: open, assignee: 'me' }, sort: null },
  { id: 'reopened', name: 'Reopened', filters: { status: open, reopened: 'true' }, sort: '-updated_at' },
  { id: 'expiring', name: 'Risk expiring', filters: { status: 'accepted_risk' }, sort: null },
  { id: 'all', name: 'All', filters: {}, sort: null },
];

/** Whether the page shows what the view says. */
const shows = (state: FindingsState, view: ListView) =>
  isSame(state.filters, view.filters) && state.sort === (view.sort ?? defaultSort);

/** Saved filters as tabs; a dot says that what is shown is no longer what is saved. */
export function ViewTabs({ state }: { state: FindingsState }) {
  const views = builtInViews;
  const current = views.find(({ id }) => id === state.view) ?? views.find((view) => shows(state, view));
  const step = () => {
    const next = views[(views.findIndex(({ id }) => id === current?.id) + 1) % views.length]!;
    state.show(next);
  };
  useCommands([
    { keys: ['v'], label: 'Next view', section: 'Findings', run: step },
    ...views.map((view) => ({ label: `View: ${view.name}`, section: 'Findings', run: () => state.show(view) })),
  ]);
  return (
    <nav aria-label="Views" className={classes.views}>
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          className={classes.view}
          aria-current={view.id === current?.id}
          onClick={() => state.show(view)}
        >
          {view.name}
          {view.id === current?.id && !shows(state, view) && (
            <span className={classes.dot}>
              <span className="visually-hidden">changed</span>
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}
