import type { DecisionCreation, DecisionJustification, DecisionScope } from '@assay/client';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { useOnline } from '../../api/online.ts';
import { policyQuery } from '../../api/policy.ts';
import type { Filters } from '../../filters/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { coveredQuery, useRenewDecisions } from '../decisions/queries.ts';
import { justificationNames, justificationsOf } from '../decisions/words.ts';
import type { DialogProps } from './dialogs.tsx';
import type { ListedFinding } from './listed-finding.ts';
import classes from './reason-dialog.module.css';
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

const dayMs = 86_400_000;
const usualDays = [30, 90, 180];

/** The time after a number of days, or the end of a day; null for no end. */
function untilOf(choice: string, day: string): string | null {
  if (choice === 'day') return day === '' ? null : `${day}T23:59:59Z`;
  if (choice === 'none') return null;
  return new Date(serverNow() + Number(choice) * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');
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

export type Wider = { key: string; label: string; scope: DecisionScope };

/** All findings that the filters select, instead of single findings. */
export type AllMatching = {
  filters: Filters;
  count: number;
  onDone: () => void;
  /** The scopes of decisions that would apply to the findings, including future ones. */
  scopes?: Wider[];
};

/** The scopes around a single finding, the narrowest first, each with its key; none for several findings. */
export function widerScopes([finding, ...others]: readonly ListedFinding[]): Wider[] {
  if (!finding || others.length > 0) return [];
  const { rule, location, data_source, identifiers } = finding;
  const here = { data_source: [data_source.id] };
  const purl = location.package?.purl?.replace(/[@?#].*$/, '');
  if (purl) {
    const [advisory] = identifiers;
    const about = { package: [purl], ...(advisory ? { identifier: [advisory] } : { rule: [rule.id] }) };
    const name = `${advisory ?? 'This rule'} in ${location.package!.name}`;
    return [
      { key: 'd', label: `${name}, in ${data_source.name}`, scope: { ...about, ...here } },
      { key: 'e', label: `${name}, everywhere`, scope: about },
    ];
  }
  const folder = location.path?.includes('/') ? location.path.slice(0, location.path.lastIndexOf('/')) : null;
  const about = { rule: [rule.id] };
  return [
    ...(folder === null
      ? []
      : [{ key: 'f', label: `This rule in ${folder}/`, scope: { ...about, path: [`${folder}/**`], ...here } }]),
    { key: 'd', label: `This rule in ${data_source.name}`, scope: { ...about, ...here } },
    { key: 'e', label: 'This rule everywhere', scope: about },
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
  const rules = useQuery({ ...policyQuery, enabled: accepts }).data?.accepted_risk;
  const options = endOptions(rules?.max_days ?? null);
  const end = options.some(({ value }) => value === chosenEnd) ? chosenEnd : `${rules?.max_days}`;
  const needsReason = accepts && (rules?.reason_required ?? false);
  const scopes = useScopes(wider);
  const scope = scopes.find(({ key }) => key === scopeKey);
  const decide = useDecide(onClose);
  const decided = scope?.scope ?? asksFor;
  const isMissing = needsReason && reason.trim() === '';
  const apply = (justification = because) => {
    const text = reason.trim();
    const name = justification && justificationNames[justification];
    if (
      refusal !== null ||
      isMissing ||
      (decided && text === '' && name === null) ||
      (end === 'day' && day === '' && accepts)
    ) {
      reasonField.current?.querySelector('input')?.focus();
      return;
    }
    rememberReason(status, text);
    const until = accepts ? untilOf(end, day) : null;
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
        disabledReason={
          refusal !== null
            ? refusal
            : isMissing
              ? 'Your policy requires a reason.'
              : accepts && end === 'day' && day === ''
                ? 'Choose a date first.'
                : decided && because === null && reason.trim() === ''
                  ? 'Enter a reason first.'
                  : null
        }
        onSubmit={() => apply()}
        onCancel={onClose}
      >
        <Because of={justificationsOf[status]} chosen={because} onChoose={setBecause} onKeyDown={onKeyDown} />
        {accepts && (
          <div className={classes.until}>
            <Choice label="Accepted for" value={end} onChange={setEnd} options={options} />
            {end === 'day' && <TextField label="Until" type="date" value={day} onChange={setDay} />}
          </div>
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
