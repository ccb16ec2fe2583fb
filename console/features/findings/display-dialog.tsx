import { useState } from 'react';
import { savePreferences, usePreferences } from '../../api/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconChevronDown, IconChevronUp } from '../../ui/icons.ts';
import { showError } from '../../ui/toasts.tsx';
import { orderedColumns, usualColumns } from './columns.tsx';
import { densities, densityOf, saveDensity } from './density.ts';
import classes from './display-dialog.module.css';
import type { RowDensity } from './table.tsx';

const save = (columns: string[] | null) => void savePreferences({ columns }).catch(showError);

/**
 * The columns of the list with their order, and the height of its rows: kept for the person, on every device.
 * `roomy`: whether all usual columns have room.
 */
export default function DisplayDialog({ roomy, onClose }: { roomy: boolean; onClose: () => void }) {
  const preferences = usePreferences();
  const [chosen, setChosen] = useState(() => preferences.columns ?? usualColumns(roomy));
  // A row stays where it is when it is ticked.
  const [order, setOrder] = useState(() => orderedColumns(chosen));
  const saveOrder = (next: typeof order, ids: string[]) => {
    setChosen(ids);
    save(next.map(({ id }) => id).filter((id) => ids.includes(id)));
  };
  const move = (index: number, step: number) => {
    const next = order.toSpliced(index, 1).toSpliced(index + step, 0, order[index]!);
    setOrder(next);
    saveOrder(next, chosen);
  };
  return (
    <Dialog title="Rows and columns" onClose={onClose}>
      <Choice
        label="Rows"
        value={densityOf(preferences)}
        onChange={(value) => saveDensity(preferences, value as RowDensity)}
        options={densities}
      />
      <ul className={classes.columns} aria-label="Columns">
        {order.map(({ id, title }, index) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  saveOrder(order, checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              {title}
            </label>
            <IconButton
              label={`Move ${title} up`}
              icon={IconChevronUp}
              size={28}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            />
            <IconButton
              label={`Move ${title} down`}
              icon={IconChevronDown}
              size={28}
              disabled={index === order.length - 1}
              onClick={() => move(index, 1)}
            />
          </li>
        ))}
      </ul>
      <Button
        kind="quiet"
        onClick={() => {
          save(null);
          setChosen(usualColumns(roomy));
          setOrder(orderedColumns(usualColumns(roomy)));
        }}
      >
        Default columns
      </Button>
    </Dialog>
  );
}
