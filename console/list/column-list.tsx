import { useState } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { IconChevronDown, IconChevronUp } from '../ui/icons.ts';
import { Check } from './check.tsx';
import classes from './column-list.module.css';

type Choice = { id: string; title: string };

/**
 * The columns of a list, to be shown or hidden and put in order. `columns` are in their initial order; ticking a row
 * does not move it.
 */
export function ColumnList({
  columns,
  chosen,
  onChange,
}: {
  columns: readonly Choice[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const [order, setOrder] = useState(columns);
  const save = (next: readonly Choice[], ids: readonly string[]) =>
    onChange(next.map(({ id }) => id).filter((id) => ids.includes(id)));
  const move = (index: number, step: number) => {
    const next = order.toSpliced(index, 1).toSpliced(index + step, 0, order[index]!);
    setOrder(next);
    save(next, chosen);
  };
  return (
    <ul className={classes.columns} aria-label="Columns">
      {order.map(({ id, title }, index) => (
        <li key={id}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: Check is its input */}
          <label>
            <Check
              label={title}
              checked={chosen.includes(id)}
              onChange={() =>
                save(order, chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
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
  );
}
