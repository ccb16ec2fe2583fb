import type { KnownRule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { plural } from '../findings/words.ts';
import classes from './decisions.module.css';
import { latestEnd, useLimits } from './limits.ts';
import { coveredQuery, offeredRulesQuery, useDemote } from './queries.ts';

/** The judgements from which a rule that is mostly dismissed is offered, as on the server. */
const minJudgements = 20;

type Judged = Pick<KnownRule, 'dismissed' | 'confirmed'>;

/** "13 of 20 times": how often people dismissed a rule. */
export const dismissedWords = ({ dismissed, confirmed }: Judged): string =>
  `${dismissed.toLocaleString('en')} of ${plural(dismissed + confirmed, 'time')}`;

/** Asks for the reason, and shows all findings of a rule as info. */
function DemoteDialog({ rule, onClose }: { rule: KnownRule; onClose: () => void }) {
  const [reason, setReason] = useState(`Dismissed ${dismissedWords(rule)}.`);
  const scope = { rule: [rule.id] };
  const { longest } = useLimits('demoted');
  const covered = useQuery(coveredQuery(scope));
  const demote = useDemote(onClose);
  const count = covered.data ? plural(covered.data.open, 'open finding') : 'Its findings';
  return (
    <Dialog title={`Show ${rule.name} as info`} onClose={onClose}>
      <Form
        submit="Show as info"
        loading={demote.isPending}
        error={demote.error}
        disabledReason={reason.trim() === '' ? 'Enter a reason first.' : null}
        onCancel={onClose}
        onSubmit={() => demote.mutate({ outcome: 'demoted', reason: reason.trim(), scope, until: latestEnd(longest) })}
      >
        <p>
          {count} and future ones are shown as info: they have no due date, and nothing fails on them. They stay open,
          and withdrawing the decision gives them back the severity of their scanner.
          {longest !== null && ` It ends after ${plural(longest, 'day')}, as your policy requires.`}
        </p>
        <TextArea label="Reason" field="reason" rows={2} value={reason} onChange={setReason} />
      </Form>
    </Dialog>
  );
}

/** Demotes a rule that people mostly dismiss; nothing for other rules, and for people who may not. */
export function DemoteButton({ rule }: { rule: KnownRule }) {
  const [isOpen, setOpen] = useState(false);
  const mayDemote = useMay('organization:write');
  const { dismissed, confirmed, demotion } = rule;
  const isOffered = demotion === null && dismissed > confirmed && dismissed + confirmed >= minJudgements;
  if (!isOffered || !mayDemote) return null;
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        Show as info…
      </Button>
      {isOpen && <DemoteDialog rule={rule} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The rules that people mostly dismiss, offered to admins above the decisions. */
export function OfferedRules() {
  const mayDemote = useMay('organization:write');
  const { data = [] } = useQuery({ ...offeredRulesQuery, enabled: mayDemote });
  if (!mayDemote || data.length === 0) return null;
  return (
    <section className={classes.offers} aria-label="Rules that are mostly dismissed">
      <h2>Mostly dismissed</h2>
      <ul>
        {data.map((rule) => (
          <li key={rule.id}>
            <span>
              <Link to={paths.findings} search={{ rule: rule.id } as never}>
                {rule.name}
              </Link>
              : dismissed {dismissedWords(rule)}
            </span>
            <DemoteButton rule={rule} />
          </li>
        ))}
      </ul>
    </section>
  );
}
