import classes from './keys.module.css';

const symbols: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  Enter: '↵',
};

const shown = (key: string) =>
  key
    .split('+')
    .map((part) => symbols[part] ?? (part.length === 1 && key.includes('+') ? part.toUpperCase() : part))
    .join(' + ');

/** The keys of a command: `g o` as two keys. */
export function KeyNames({ keys }: { keys: string }) {
  return (
    <>
      {keys.split(' ').map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two keys at most, which never move
        <kbd key={index} className={classes.key}>
          {shown(key)}
        </kbd>
      ))}
    </>
  );
}
