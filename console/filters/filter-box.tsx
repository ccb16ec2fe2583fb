import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconAlertCircle } from '../ui/icons.ts';
import { insert, placeAt, type Suggestion } from './completion.ts';
import classes from './filter-box.module.css';
import { type Choice, type Filters, isSame, readChoices } from './filters.ts';
import { type Grammar, keysOf } from './grammar.ts';
import { type Problem, parseText, writeText } from './text.ts';
import { useSuggestions } from './use-suggestions.ts';

/** The suggestions below the box. The box refers to the active one by id. */
function SuggestionList({
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

/** The parts of a text that select nothing, each with the likely intended one. */
function ProblemList({
  id,
  problems,
  text,
  onRepair,
}: {
  id: string;
  problems: Problem[];
  text: string;
  onRepair: (text: string) => void;
}) {
  return (
    <div id={id} role="status" className={classes.problems}>
      {problems.map(({ start, end, message, instead }) => (
        <p key={`${start} ${message}`} className={classes.problem}>
          <IconAlertCircle size={16} aria-hidden />
          <span>
            <mark>{text.slice(start, end)}</mark> {message}
          </span>
          {instead !== null && (
            <button type="button" onClick={() => onRepair(text.slice(0, start) + instead + text.slice(end))}>
              Use <b>{instead}</b>
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

/** The pause after the last key before the text is applied, in milliseconds. */
const debounceMs = 150;

type FilterBoxProps = {
  label: string;
  filters: Filters;
  onChange: (filters: Filters) => void;
  grammar: Grammar;
  /** Called when the box gains or loses the focus, since names are needed then. */
  onOpen: (isOpen: boolean) => void;
  /** The time for which findings are counted. */
  now: number;
  box?: RefObject<HTMLInputElement | null>;
  children?: ReactNode;
};

/** Filters whose ids have no names yet are not shown. */
const isNamed = (filters: Filters, { fields, vocabularyOf }: Grammar) =>
  fields.every((field) => {
    if (field.kind !== 'list' || !field.ids) return true;
    const vocabulary = vocabularyOf(field);
    const isKnown = ({ value }: Choice) => vocabulary?.values.some((known) => known.value === value);
    return vocabulary?.known !== 'loading' || readChoices(filters[field.filter]).every(isKnown);
  });

/**
 * Whether a word that is being typed is the start of a filter. It is searched for only after the caret leaves it or
 * Enter is pressed.
 */
function mayBecomeKey(text: string, caret: number, { fields }: Grammar): boolean {
  const place = placeAt(text, caret, fields);
  return (
    place?.kind === 'key' &&
    place.typed !== '' &&
    keysOf(fields).some((key) => key.startsWith(place.typed.toLowerCase()))
  );
}

/** The filters as one line of text, which completes the typed text and marks unknown parts. */
export function FilterBox({ label, filters, onChange, grammar, onOpen, now, box, children }: FilterBoxProps) {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = box ?? own;
  const [text, setText] = useState('');
  const [caret, setCaret] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const isTyped = useRef(false);
  const isPending = useRef(false);
  /** The position of the caret after a suggestion was inserted. */
  const nextCaret = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Filters that were typed and applied but are not in `filters` yet. */
  const applied = useRef<Filters[]>([]);
  const named = isNamed(filters, grammar);

  const place = isOpen && caret !== null ? placeAt(text, caret, grammar.fields) : null;
  const suggestions = useSuggestions(place, grammar, filters, now);
  const isWhole = place?.kind === 'value' && suggestions.some((item) => item.label === place.typed);
  // Enter accepts the first matching value. It does not complete words: they may be search terms.
  const isTaken = place?.kind === 'value' && place.typed !== '' && !isWhole && suggestions[0]?.fits;
  const active = chosen ?? (isTaken ? 0 : -1);
  const isListed = suggestions.length > 0 && place !== null && !(isWhole && suggestions.length === 1);

  const apply = (value: string, isDone: boolean) => {
    clearTimeout(timer.current);
    const { filters: next, problems, pending } = parseText(value, grammar);
    const isFocused = document.activeElement === input.current;
    const at = isDone || !isFocused ? null : (input.current?.selectionStart ?? null);
    // An error at the caret is ignored: the value is still being typed.
    const isUnfinished = problems.some(({ start, end }) => at !== null && start <= at && at <= end);
    isPending.current = pending;
    if (
      pending ||
      isUnfinished ||
      (at !== null && mayBecomeKey(value, at, grammar)) ||
      isSame(next, applied.current.at(-1) ?? filters)
    )
      return;
    applied.current.push(next);
    onChange(next);
  };
  const latestApply = useRef(apply);
  latestApply.current = apply;
  const type = (value: string, at: number | null) => {
    isTyped.current = true;
    setText(value);
    setCaret(at);
    setChosen(null);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestApply.current(value, false), debounceMs);
  };
  // Changes from elsewhere are written into the box. Typed changes are not: the text may have changed since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other filters change what was typed
  useEffect(() => {
    const index = applied.current.findIndex((one) => isSame(one, filters));
    applied.current = applied.current.slice(index < 0 ? applied.current.length : index + 1);
    if (index >= 0 || isSame(parseText(text, grammar).filters, filters)) return;
    clearTimeout(timer.current);
    isTyped.current = false;
    isPending.current = false;
    setText(named ? writeText(filters, grammar) : '');
  }, [filters]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known has changed, not the text
  useEffect(() => {
    // Names that were typed before they were loaded can be parsed now.
    if (isPending.current) latestApply.current(text, false);
    else if (!isTyped.current) setText(named ? writeText(filters, grammar) : '');
  }, [grammar]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const choose = (suggestion: Suggestion) => {
    if (!place) return;
    const next = insert(text, place, suggestion);
    type(next.text, next.caret);
    nextCaret.current = next.caret;
  };
  // Runs with the new text, before the next key.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    input.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setCaret(event.currentTarget.selectionStart);
      if (isListed)
        setChosen((active + step + suggestions.length + (active < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isListed && suggestions[active]) {
      event.preventDefault();
      choose(suggestions[active]);
    } else if (event.key === 'Enter') {
      // Don't submit a surrounding form.
      event.preventDefault();
      setOpen(false);
      apply(text, true);
    } else if (event.key === 'Escape') {
      // Chromium would clear a search field, and a surrounding dialog would close.
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.blur();
    }
  };
  const { problems } = parseText(text, grammar);
  const shown = problems.filter(({ start, end }) => caret === null || caret < start || caret > end);
  const follow = () => setCaret(input.current?.selectionStart ?? null);
  return (
    <search className={classes.search}>
      <div className={classes.bar}>
        <div className={classes.field}>
          <input
            ref={input}
            className={classes.box}
            type="search"
            role="combobox"
            aria-label={label}
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? `${id}list` : undefined}
            aria-activedescendant={isListed && active >= 0 ? `${id}list-${active}` : undefined}
            aria-invalid={shown.length > 0}
            aria-describedby={shown.length > 0 ? `${id}problems` : undefined}
            placeholder={named ? 'Filter: severity:critical,high -tag:test due:<7d me words' : 'Loading names …'}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={text}
            onFocus={() => {
              onOpen(true);
              follow();
            }}
            onChange={(event) => {
              setOpen(true);
              type(event.currentTarget.value, event.currentTarget.selectionStart);
            }}
            onClick={() => {
              setOpen(true);
              follow();
            }}
            onKeyDown={onKeyDown}
            onKeyUp={(event) => {
              if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) follow();
            }}
            onBlur={() => {
              setOpen(false);
              setCaret(null);
              onOpen(false);
              apply(text, true);
            }}
          />
          {isListed && <SuggestionList id={`${id}list`} items={suggestions} active={active} onChoose={choose} />}
        </div>
        {children}
      </div>
      {shown.length > 0 && (
        <ProblemList
          id={`${id}problems`}
          problems={shown}
          text={text}
          onRepair={(value) => {
            isTyped.current = true;
            setText(value);
            apply(value, true);
          }}
        />
      )}
    </search>
  );
}
