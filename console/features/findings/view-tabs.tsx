import { useQuery } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { isSame } from '../../filters/filters.ts';
import { useCommands } from '../../keys/registry.ts';
import { Button } from '../../ui/button.tsx';
import { IconChevronDown } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
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

const dot = (
  <span className={classes.dot}>
    <span className="visually-hidden">changed</span>
  </span>
);

/**
 * Returns the ids of the tabs that don't fit in one line: they wrap to lines that are not visible. On a phone, where the
 * line scrolls, all fit.
 */
function useOverflow(tabs: RefObject<HTMLElement | null>, more: RefObject<HTMLElement | null>, views: ListView[]) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const key = views.map(({ id, name }) => `${id} ${name}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names take other room
  useLayoutEffect(() => {
    const line = tabs.current;
    if (!line) return;
    const measure = () => {
      const all = [...line.children] as HTMLElement[];
      const room = line.clientWidth + (more.current?.offsetWidth ?? 0);
      const needed = all.reduce((sum, { offsetWidth }) => sum + offsetWidth + 2, -2);
      const wrapped = all.filter(({ offsetTop }) => offsetTop > all[0]!.offsetTop);
      const ids = needed <= room ? [] : wrapped.map(({ dataset }) => dataset.view!);
      setHidden((before) => (before.size === ids.length && ids.every((id) => before.has(id)) ? before : new Set(ids)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(line);
    for (const tab of line.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [key]);
  return hidden;
}

type MoreProps = {
  views: ListView[];
  current: ListView | undefined;
  isChanged: boolean;
  onShow: (view: ListView) => void;
  ref: RefObject<HTMLButtonElement | null>;
};

/** The views that don't fit. Its button has the name of the current view if that is one of them. */
const MoreViews = ({ views, current, isChanged, onShow, ref }: MoreProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <button
        ref={ref}
        type="button"
        className={`${classes.view} ${classes.moreViews}`}
        aria-current={current !== undefined}
      >
        <span className={classes.viewName}>{current?.name ?? 'More'}</span>
        {isChanged && dot}
        <IconChevronDown size={14} stroke={1.5} aria-hidden />
        {current && <span className="visually-hidden">, more views</span>}
      </button>
    </Menu.Target>
    <Menu.Dropdown className={classes.viewMenu}>
      {views.map((view) => (
        <Menu.Item key={view.id} onClick={() => onShow(view)}>
          {view.name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** Saved filters as tabs. A dot marks a view with unsaved changes. */
export function ViewTabs({ state }: { state: FindingsState }) {
  const saved = useQuery(viewsQuery);
  const maySave = useMay('views:write');
  const [saving, setSaving] = useState(false);
  const views = [...builtInViews, ...(saved.data ?? [])];
  const named = views.find(({ id }) => id === state.view);
  const current = named ?? views.find((view) => shows(state, view));
  const tabs = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const hidden = useOverflow(tabs, more, views);
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
    <nav aria-label="Views" className={classes.views}>
      <div ref={tabs} className={classes.viewLine}>
        {views.map((view) => (
          <button
            key={view.id}
            type="button"
            data-view={view.id}
            className={`${classes.view} ${hidden.has(view.id) ? classes.unfit : ''}`}
            aria-current={view.id === current?.id}
            title={view.saved?.shared ? 'Shared with the organization' : undefined}
            onClick={() => state.show(view)}
          >
            {view.name}
            {view.id === current?.id && isChanged && dot}
          </button>
        ))}
      </div>
      {hidden.size > 0 && (
        <MoreViews
          ref={more}
          views={views.filter(({ id }) => hidden.has(id))}
          current={current && hidden.has(current.id) ? current : undefined}
          isChanged={isChanged && hidden.has(named.id)}
          onShow={(view) => state.show(view)}
        />
      )}
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
