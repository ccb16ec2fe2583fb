import type { DecisionCreation, DecisionJustification, DecisionScope } from '@assay/client';
import { useMutation, useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { assay } from '../../api/client.ts';
import { useOnline } from '../../api/online.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { endOfDay, inDays, latestDay, latestEnd, refusedDay, useLimits } from '../decisions/limits.ts';
import { coveredQuery, useRenewDecisions } from '../decisions/queries.ts';
import { justificationNames, justificationsOf } from '../decisions/words.ts';
import type { DialogProps } from './dialogs.tsx';
import classes from './reason-dialog.module.css';
import type { Wider } from './wider-scopes.ts';
import { formatCount, outcomeNames, plural } from './words.ts';

const reasonsKey = (status: string) => `assay.reasons.${status}`;

function recentReasons(status: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(reasonsKey(status)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, 5) : [];
  } catch {
    return [];
  }
}

function rememberReason(status: string, reason: string): void {
  if (reason === '') return;
  const reasons = [reason, ...recentReasons(status).filter((one) => one !== reason)].slice(0, 5);
  localStorage.setItem(reasonsKey(status), JSON.stringify(reasons));
}

const usualDays = [30, 90, 180];

/** The end that a choice means: a number of days, a day, or none (null). */
function untilOf(choice: string, day: string, longest: number | null): string | null {
  if (choice === 'day') return day === '' ? null : endOfDay(day);
  if (choice === 'none') return null;
  return Number(choice) === longest ? latestEnd(longest) : inDays(Number(choice));
}

/** Returns the ends to choose from, within the maximum that the policy allows. */
function endOptions(maxDays: number | null) {
  const days = maxDays === null ? usualDays : [...usualDays.filter((count) => count < maxDays), maxDays];
  return [
    ...days.map((count) => ({ value: `${count}`, label: `${count} days` })),
    { value: 'day', label: 'A day' },
    ...(maxDays === null ? [{ value: 'none', label: 'No end' }] : []),
  ];
}

type ScopesProps = { scopes: (Wider & { open: number })[]; chosen: string | null; onChoose: (key: string) => void };

const Scopes = ({ scopes, chosen, onChoose }: ScopesProps) => (
  <div className={classes.scopes} role="group" aria-label="Decide about more">
    <span>Also</span>
    {scopes.map(({ key, label, open }) => (
      <button key={key} type="button" aria-pressed={chosen === key} onClick={() => onChoose(key)}>
        <kbd>{key}</kbd> {label} <span>{formatCount(open)}</span>
      </button>
    ))}
    {chosen !== null && <p>It also holds for findings that come. You find it among the decisions.</p>}
  </div>
);

/** The scopes that the server accepts, with their numbers of open findings. */
function useScopes(wider: readonly Wider[]): (Wider & { open: number })[] {
  const online = useOnline();
  const covered = useQueries({ queries: wider.map(({ scope }) => ({ ...coveredQuery(scope), enabled: online })) });
  return wider.flatMap((one, index) => {
    const open = covered[index]?.data?.open;
    return open === undefined ? [] : [{ ...one, open }];
  });
}

type ClassesProps = {
  of: readonly DecisionJustification[];
  chosen: DecisionJustification | null;
  onChoose: (one: DecisionJustification) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

const Because = ({ of, chosen, onChoose, onKeyDown }: ClassesProps) => (
  <fieldset className={classes.because} onKeyDown={onKeyDown}>
    <legend>Because</legend>
    {of.map((one, index) => (
      <label key={one}>
        <input
          type="radio"
          name="because"
          data-autofocus={index === 0 || undefined}
          checked={chosen === one}
          onChange={() => onChoose(one)}
        />
        <kbd aria-hidden>{index + 1}</kbd>
        {justificationNames[one]}
      </label>
    ))}
  </fieldset>
);

export type ReasonProps = DialogProps & {
  status: 'false_positive' | 'accepted_risk';
  wider: readonly Wider[];
  /** The scope for which another person must approve; null where this person decides. */
  asksFor: DecisionScope | null;
  /** Why nothing can be decided or requested (yet). */
  refusal?: string | null;
  /** A sentence about the scope of the request. */
  note?: string | null;
};

/** Saves a decision whose scope is wider than one finding. */
function useDecide(onDone: () => void) {
  const renew = useRenewDecisions();
  return useMutation({
    mutationFn: (decision: DecisionCreation) => assay.decisions.create(decision),
    onSuccess: (decision) => {
      renew();
      const isRequest = decision.status === 'requested';
      const held = `${outcomeNames[decision.outcome]}: the decision holds for findings now and later.`;
      showToast(isRequest ? 'Requested: it holds when another person has approved it.' : held, {
        label: 'Undo',
        run: () => void assay.decisions.withdraw(decision.id).then(renew, showError),
      });
      onDone();
    },
  });
}

/**
 * Asks why findings are not a problem, or why their risk is accepted and until when. A digit chooses the class and
 * decides; a letter before it widens the scope.
 */
export function ReasonDialog(props: ReasonProps) {
  const { status, count, wider, asksFor, refusal = null, note = null, onApply, onClose } = props;
  const [reason, setReason] = useState('');
  const [because, setBecause] = useState<DecisionJustification | null>(null);
  const [chosenEnd, setEnd] = useState('90');
  const [day, setDay] = useState('');
  const [scopeKey, setScopeKey] = useState<string | null>(null);
  const reasonField = useRef<HTMLDivElement>(null);
  const accepts = status === 'accepted_risk';
  const { longest, needsReason, needsJustification } = useLimits(status);
  const options = endOptions(longest);
  const end = options.some(({ value }) => value === chosenEnd) ? chosenEnd : `${longest}`;
  const scopes = useScopes(wider);
  const scope = scopes.find(({ key }) => key === scopeKey);
  const decide = useDecide(onClose);
  const decided = scope?.scope ?? asksFor;
  /** Says what is missing before a class is chosen or without one; null if nothing is. */
  const missing = (justification: DecisionJustification | null): string | null => {
    if (refusal !== null) return refusal;
    if (justification === null && needsJustification) return 'Choose why: your policy requires it.';
    if (reason.trim() === '' && needsReason) return 'Your policy requires a reason.';
    if (accepts && end === 'day' && day === '') return 'Choose a date first.';
    if (accepts && end === 'day' && refusedDay(day, longest)) return refusedDay(day, longest);
    return decided && justification === null && reason.trim() === '' ? 'Enter a reason first.' : null;
  };
  const apply = (justification = because) => {
    const text = reason.trim();
    const name = justification && justificationNames[justification];
    if (missing(justification) !== null) {
      reasonField.current?.querySelector('input')?.focus();
      return;
    }
    rememberReason(status, text);
    const until = accepts ? untilOf(end, day, longest) : latestEnd(longest);
    if (decided) {
      decide.mutate({ outcome: status, justification, reason: text || name!, scope: decided, until });
      return;
    }
    onApply({
      status,
      ...(justification && { justification }),
      ...(text !== '' && { comment: text }),
      ...(accepts && { accepted_until: until }),
    });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = justificationsOf[status][Number(event.key) - 1];
    const wider = scopes.find(({ key }) => key === event.key);
    if (chosen === undefined && !wider) return;
    event.preventDefault();
    if (wider) setScopeKey(scopeKey === wider.key ? null : wider.key);
    if (chosen === undefined) return;
    setBecause(chosen);
    apply(chosen);
  };
  const many = count === 1 ? '' : ` ${formatCount(count)}`;
  const action = accepts ? `Accept ${count === 1 ? 'risk' : `the risk of${many}`}` : `Mark${many} as false positive`;
  const wide =
    scope &&
    (accepts ? `Accept the risk of ${formatCount(scope.open)}` : `Close ${formatCount(scope.open)} as false positive`);
  return (
    <Dialog
      title={
        accepts
          ? `Accept the risk of ${plural(count, 'finding')}`
          : `Mark ${plural(count, 'finding')} as false positive`
      }
      onClose={onClose}
    >
      <Form
        submit={asksFor ? 'Request' : (wide ?? action)}
        loading={decide.isPending}
        error={decide.error}
        disabledReason={missing(because)}
        onSubmit={() => apply()}
        onCancel={onClose}
      >
        <Because of={justificationsOf[status]} chosen={because} onChoose={setBecause} onKeyDown={onKeyDown} />
        {accepts && (
          <div className={classes.until}>
            <Choice label="Accepted for" value={end} onChange={setEnd} options={options} />
            {end === 'day' && (
              <TextField label="Until" type="date" value={day} max={latestDay(longest)} onChange={setDay} />
            )}
          </div>
        )}
        {!accepts && longest !== null && (
          <p>It ends after {plural(longest, 'day')}, as your policy requires. The findings are open again then.</p>
        )}
        <div ref={reasonField}>
          <TextField
            label="Reason"
            description={needsReason ? 'Your policy requires it.' : 'Shown with the decision.'}
            value={reason}
            maxLength={1000}
            onChange={setReason}
          />
        </div>
        {recentReasons(status).length > 0 && (
          <div className={classes.recent}>
            {recentReasons(status).map((recent) => (
              <Button key={recent} size="xs" kind="quiet" onClick={() => setReason(recent)}>
                {recent}
              </Button>
            ))}
          </div>
        )}
        {asksFor && <p>Another person must approve it first.{note !== null && !scope && ` ${note}`}</p>}
        {scopes.length > 0 && (
          <Scopes
            scopes={scopes}
            chosen={scope?.key ?? null}
            onChoose={(key) => setScopeKey(key === scopeKey ? null : key)}
          />
        )}
      </Form>
    </Dialog>
  );
}
