import { useNavigate, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { KeyNames } from '../../keys/key-names.tsx';
import { commands } from '../../keys/registry.ts';
import { Dialog } from '../../ui/dialog.tsx';
import {
  IconClock,
  IconDatabase,
  IconGavel,
  IconPlayerPlay,
  IconSearch,
  IconShieldSearch,
  IconTag,
  IconUser,
  IconWorld,
} from '../../ui/icons.ts';
import { SeverityShape } from '../findings/marks.tsx';
import classes from './palette.module.css';
import { addRecent } from './recent.ts';
import { type Result, useResults } from './results.ts';
import { type Kind, kindNames, marked, readAsked } from './words.ts';

const icons: Record<Kind, typeof IconClock> = {
  recent: IconClock,
  finding: IconShieldSearch,
  value: IconTag,
  decision: IconGavel,
  person: IconUser,
  page: IconWorld,
  action: IconPlayerPlay,
};

function Sign({ result }: { result: Result }) {
  if (result.severity) return <SeverityShape severity={result.severity} quiet />;
  const Icon = result.note.startsWith('data source') ? IconDatabase : icons[result.kind];
  return <Icon size={16} stroke={1.5} aria-hidden />;
}

type RowProps = { result: Result; id: string; isChosen: boolean; words: string[]; onRun: (inTab: boolean) => void };

const Row = ({ result, id, isChosen, words, onRun }: RowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys and Enter do the same
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    className={classes.option}
    onClick={(event) => onRun(event.ctrlKey || event.metaKey)}
  >
    <Sign result={result} />
    <span className={classes.label}>
      {marked(result.label, words).map(({ text, isMatch }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text stay in their order
        isMatch ? <b key={index}>{text}</b> : text,
      )}
    </span>
    {result.note && <span className={classes.note}>{result.note}</span>}
    {result.command?.keys?.[0] && <KeyNames keys={result.command.keys[0]} />}
    {isChosen && <kbd aria-hidden>↵</kbd>}
  </div>
);

const Foot = () => (
  <footer className={classes.foot}>
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> move
    </span>
    <span>
      <kbd>↵</kbd> open
    </span>
    <span>
      <kbd>Ctrl ↵</kbd> new tab
    </span>
    <span>
      <kbd>Tab</kbd> only this kind
    </span>
    <span className={classes.prefixes}>
      <kbd>&gt;</kbd> commands
    </span>
    <span>
      <kbd>@</kbd> people
    </span>
    <span>
      <kbd>#</kbd> F-number
    </span>
  </footer>
);

type PaletteProps = {
  /** The text typed before the search was loaded. */
  typed: RefObject<string>;
  onClose: () => void;
};

/** Finds everything by its name: findings, identifiers, packages, decisions, data sources, people, pages and commands. */
export default function Palette({ typed, onClose }: PaletteProps) {
  // The commands of the page behind: while the dialog is open, nothing registers.
  const [all] = useState(() => commands.read().filter(({ unlisted }) => !unlisted));
  const [query, setQuery] = useState(() => typed.current);
  const [chosen, setChosen] = useState(0);
  const [kept, setKept] = useState<Kind | null>(null);
  const navigate = useNavigate();
  const { basepath } = useRouter();
  const { organization } = useProfile();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const asked = readAsked(query);
  const every = useResults(asked, all);
  const results = kept === null ? every : every.filter(({ kind }) => kind === kept);
  const index = Math.min(chosen, results.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice scrolls
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index, query]);
  const run = (result: Result | undefined, inTab: boolean) => {
    if (!result) return;
    const { href, command, kind, label, note } = result;
    onClose();
    if (href !== undefined) {
      addRecent(organization.id, { kind, label, note, href });
      if (inTab) window.open(basepath.replace(/\/$/, '') + href, '_blank', 'noopener');
      else void navigate({ href });
    }
    // After the dialog has given the focus back.
    if (command) setTimeout(command.run, 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((index + step + results.length) % Math.max(results.length, 1));
    else if (event.key === 'Enter') run(results[index], event.ctrlKey || event.metaKey);
    else if (event.key === 'Tab' && !event.shiftKey) {
      setKept(kept === null ? (results[index]?.kind ?? null) : null);
      setChosen(0);
    } else return;
    event.preventDefault();
  };
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  return (
    <Dialog title="Search" bare onClose={onClose}>
      <div className={classes.ask}>
        <IconSearch size={18} stroke={1.5} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={index >= 0 ? `${id}-${index}` : undefined}
          placeholder="A finding, CVE, package, data source, person or command"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setChosen(0);
            setKept(null);
          }}
          onKeyDown={onKeyDown}
        />
        <span role="status" className={classes.count}>
          {kept === null ? `${results.length} results` : `${results.length} of ${kindNames[kept].toLowerCase()}`}
        </span>
        <button type="button" className={classes.close} onClick={onClose} aria-label="Esc, close">
          <kbd>Esc</kbd>
        </button>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={classes.results}>
        {kinds.map((kind) => (
          <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
            <div id={`${id}-${kind}`} className={classes.kind}>
              {kindNames[kind]}
            </div>
            {results.map((result, at) =>
              result.kind === kind ? (
                <Row
                  key={result.key}
                  result={result}
                  id={`${id}-${at}`}
                  isChosen={at === index}
                  words={asked.words}
                  onRun={(inTab) => run(result, inTab)}
                />
              ) : null,
            )}
          </div>
        ))}
      </div>
      {results.length === 0 && <p className={classes.nothing}>No matches. Try fewer words.</p>}
      <Foot />
    </Dialog>
  );
}
