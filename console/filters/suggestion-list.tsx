import type { Suggestion } from './completion.ts';
import classes from './filter-box.module.css';

/** The suggestions below the box, which refers to the active one by its id. */
export function SuggestionList({
  id,
  items,
  active,
  onChoose,
}: {
  id: string;
  items: Suggestion[];
  active: number;
  onChoose: (item: Suggestion) => void;
}) {
  return (
    <div role="listbox" id={id} aria-label="Suggestions" className={classes.list}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys and Enter do the same in the box
        <div
          key={item.text}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.option}
          ref={(option) => {
            if (index === active) option?.scrollIntoView({ block: 'nearest' });
          }}
          // The box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span className={classes.name}>{item.label}</span>
          <span className={classes.hint}>{item.hint}</span>
        </div>
      ))}
    </div>
  );
}
