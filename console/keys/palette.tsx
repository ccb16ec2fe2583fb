import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { KeyNames } from './key-names.tsx';
import classes from './keys.module.css';
import { type Command, commands } from './registry.ts';

/** Whether every word occurs in the text, in any order. */
const matches = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** Every command of this page, found by words. */
export function Palette({ onClose }: { onClose: () => void }) {
  // The commands of the page behind the dialog. While the dialog is open, nothing registers.
  const [all] = useState(() => commands.read().filter(({ unlisted }) => !unlisted));
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const found = all.filter(({ label, section }) => matches(`${section} ${label}`, query));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // Runs after the dialog has returned the focus.
    setTimeout(command.run, 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((index) => (index + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog title="Commands" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field within */}
      <div onKeyDown={onKeyDown}>
        <TextField
          label="Search commands"
          value={query}
          autoFocus
          onChange={(value) => {
            setQuery(value);
            setChosen(0);
          }}
        />
        <div role="listbox" aria-label="Commands" className={classes.list}>
          {found.map((command, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys and Enter do the same
            <div
              key={`${command.section} ${command.label}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={classes.option}
              onClick={() => run(command)}
            >
              <span>{command.label}</span>
              <span className={classes.section}>{command.section}</span>
              {command.keys?.[0] && <KeyNames keys={command.keys[0]} />}
            </div>
          ))}
          {found.length === 0 && <p>No command matches.</p>}
        </div>
      </div>
    </Dialog>
  );
}
