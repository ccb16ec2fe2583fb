import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { isSame } from '../../filters/filters.ts';
import { useCommands } from '../../keys/registry.ts';
import { Button } from '../../ui/button.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import classes from './page.module.css';
import { defaultSort } from './parameters.ts';
import type { FindingsState } from './state.ts';
import { builtInViews, createView, deleteView, type ListView, updateView, viewsQuery } from './views.ts';

const SaveDialog = lazy(() => import('./save-view-dialog.tsx'));

/** Returns whether the page shows the view unchanged. */
const shows = (state: FindingsState, view: ListView) =>
  isSame(state.filters, view.filters) && state.sort === (view.sort ?? defaultSort);

/** The actions on the current view after its filters were changed. */
function Changed({ state, view }: { state: FindingsState; view: ListView }) {
  return (
    <>
      {view.saved?.editable && (
        <Button
          size="xs"
          onClick={() =>
            void updateView(view.id, state.filters, state.sort).then(() => showToast('The view is saved.'), showError)
          }
        >
          Save
        </Button>
      )}
      <Button size="xs" kind="quiet" onClick={() => state.show(view)}>
        Reset
      </Button>
    </>
  );
}

/** Saved filters as tabs. A dot marks a view with unsaved changes. */
export function ViewTabs({ state }: { state: FindingsState }) {
  const saved = useQuery(viewsQuery);
  const maySave = useMay('views:write');
  const [saving, setSaving] = useState(false);
  const views = [...builtInViews, ...(saved.data ?? [])];
  const named = views.find(({ id }) => id === state.view);
  const current = named ?? views.find((view) => shows(state, view));
  const tabs = useRef<HTMLElement>(null);
  const currentId = current?.id;
  // On a phone there are more tabs than fit.
  useEffect(() => {
    const tab = currentId === undefined ? null : tabs.current?.querySelector('[aria-current="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [currentId]);
  const isChanged = named !== undefined && !shows(state, named);
  const step = () => {
    const next = views[(views.findIndex(({ id }) => id === current?.id) + 1) % views.length]!;
    state.show(next);
  };
  useCommands([
    { keys: ['v'], label: 'Next view', section: 'Findings', run: step },
    ...(maySave ? [{ label: 'Save as a view', section: 'Findings', run: () => setSaving(true) }] : []),
    ...views.map((view) => ({ label: `View: ${view.name}`, section: 'Findings', run: () => state.show(view) })),
  ]);
  return (
    <nav ref={tabs} aria-label="Views" className={classes.views}>
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          className={classes.view}
          aria-current={view.id === current?.id}
          title={view.saved?.shared ? 'Shared with the organization' : undefined}
          onClick={() => state.show(view)}
        >
          {view.name}
          {view.id === current?.id && isChanged && (
            <span className={classes.dot}>
              <span className="visually-hidden">changed</span>
            </span>
          )}
        </button>
      ))}
      {named && isChanged && <Changed state={state} view={named} />}
      {named?.saved?.editable && !isChanged && (
        <Button
          size="xs"
          kind="quiet"
          onClick={() =>
            void deleteView(named.id).then(() => {
              showToast(`The view ${named.name} is deleted.`, {
                label: 'Restore',
                run: () =>
                  void createView(named.name, named.saved?.shared ?? false, named.filters, named.sort ?? defaultSort),
              });
              state.show(builtInViews.at(-1)!);
            }, showError)
          }
        >
          Delete this view
        </Button>
      )}
      {maySave && !current && (
        <Button size="xs" kind="quiet" onClick={() => setSaving(true)}>
          Save as view
        </Button>
      )}
      <Suspense>{saving && <SaveDialog state={state} onClose={() => setSaving(false)} />}</Suspense>
    </nav>
  );
}
