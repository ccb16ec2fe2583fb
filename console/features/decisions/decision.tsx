import type { Decision } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay, useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/choice-fields.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time.tsx';
import { OutcomeMark } from '../findings/marks.tsx';
import { plural } from '../findings/words.ts';
import classes from './decisions.module.css';
import { authorOf, EntryPlace } from './entry.tsx';
import { endOfDay, latestDay, refusedDay, useLimits } from './limits.ts';
import { coveredQuery, decisionQuery, useChangeDecision, useScopeNames, useWithdraw } from './queries.ts';
import { AnswerByKey, useMayAnswer } from './requests.tsx';
import { endingWords, endsWhenWords, filtersOfScope, justificationNames, scopeWords } from './words.ts';

/** Changes the reason and the end. The scope can't change: another scope is another decision. */
function EditDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const [reason, setReason] = useState(decision.reason);
  const before = decision.until?.slice(0, 10) ?? '';
  const [day, setDay] = useState(before);
  const { longest } = useLimits(decision.outcome);
  // An end that stays may be one that the policy no longer allows.
  const refusal = day === before ? null : refusedDay(day, longest);
  const save = useChangeDecision(decision.id, onClose);
  return (
    <Dialog title="Change the decision" onClose={onClose}>
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={reason.trim() === '' ? 'Enter a reason first.' : refusal}
        onCancel={onClose}
        onSubmit={() =>
          save.mutate({
            reason: reason.trim(),
            ...(day !== before && { until: day === '' ? null : endOfDay(day) }),
          })
        }
      >
        <TextArea label="Reason" field="reason" rows={3} value={reason} onChange={setReason} />
        <TextField
          label="Until"
          field="until"
          description={
            longest === null
              ? 'Leave empty for no end.'
              : `At most ${plural(longest, 'day')} from today, as your policy says.`
          }
          type="date"
          max={latestDay(longest)}
          value={day}
          onChange={setDay}
        />
      </Form>
    </Dialog>
  );
}

function Covered({ decision: { scope, findings } }: { decision: Decision }) {
  const mayPreview = useMay('views:write');
  const covered = useQuery({ ...coveredQuery(scope), enabled: mayPreview });
  const filters = filtersOfScope(scope);
  const [only] = scope.finding ?? [];
  return (
    <section aria-label="Findings in its scope">
      <header className={classes.head}>
        <h3>Findings in its scope</h3>
        {filters && (
          <Link to={paths.findings} search={filters as never}>
            Show all
          </Link>
        )}
      </header>
      {mayPreview ? (
        <Load query={covered} rows={3}>
          {({ samples, findings: count }) => (
            <ul className={classes.samples}>
              {samples.map(({ id, title }) => (
                <li key={id}>
                  <Link to={`${paths.findings}/$id`} params={{ id }}>
                    {title}
                  </Link>
                </li>
              ))}
              {count === 0 && <li>None at the moment. It applies to future findings.</li>}
            </ul>
          )}
        </Load>
      ) : (
        <p>
          {plural(findings, 'finding')}
          {only && scope.finding?.length === 1 && (
            <>
              :{' '}
              <Link to={`${paths.findings}/$id`} params={{ id: only }}>
                open it
              </Link>
            </>
          )}
        </p>
      )}
    </section>
  );
}

function Content({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const names = useScopeNames([decision]);
  const mayDecide = useMay('findings:write');
  const [dialog, setDialog] = useState<'edit' | 'withdraw' | null>(null);
  const withdraw = useWithdraw(onClose);
  const { outcome, justification, reason, scope, status, until, findings } = decision;
  const isRequest = status === 'requested';
  const mayAnswer = useMayAnswer();
  const isOwn = decision.requested_by?.id === useProfile().id;
  const mayChange = isRequest ? isOwn : status === 'active' && mayDecide;
  const { entry } = decision;
  return (
    <>
      <h2 className={classes.title}>{scopeWords(scope, names)}</h2>
      <p className={classes.line}>
        <OutcomeMark outcome={outcome} />
        <span>
          {isRequest ? (
            'requested, not in force yet'
          ) : (
            <>
              holds for <b>{plural(findings, 'finding')}</b>
            </>
          )}
        </span>
      </p>
      <section aria-label="Why">
        <h3>Why</h3>
        <p>
          {justification && <b>{justificationNames[justification]}. </b>}
          {reason !== (justification && justificationNames[justification]) && reason}
        </p>
      </section>
      <Facts
        entries={[
          [isRequest ? 'Asked by' : 'By', authorOf(decision)],
          ['Email', entry?.author?.email],
          ['Written in', entry && <EntryPlace entry={entry} />],
          ['Approved by', decision.approved_by?.name],
          ['Answer', decision.answer],
          ['Severity', decision.below_severity && `below ${decision.below_severity}: no approval needed`],
          ['Since', formatDay(decision.created_at)],
          ['Until', until === null ? 'No end' : formatDay(until)],
          ['Ends early if', endsWhenWords(decision.ends_when)],
          ['Answer by', decision.expires_at && formatDay(decision.expires_at)],
          ['Ended', decision.ended_at && formatDay(decision.ended_at)],
          ['How it ended', decision.ended_at && endingWords(decision)],
        ]}
      />
      <Covered decision={decision} />
      {isRequest && mayAnswer(decision) && (
        <div className={classes.foot}>
          <AnswerByKey request={decision} onDone={onClose} />
        </div>
      )}
      {mayChange && (
        <div className={classes.foot}>
          {decision.origin === 'person' && <Button onClick={() => setDialog('edit')}>Edit</Button>}
          <Button kind="quiet" onClick={() => setDialog('withdraw')}>
            {findings === 0 || outcome === 'demoted'
              ? 'Withdraw'
              : `Withdraw, reopens up to ${findings.toLocaleString('en')}`}
          </Button>
        </div>
      )}
      {dialog === 'edit' && <EditDialog decision={decision} onClose={() => setDialog(null)} />}
      {dialog === 'withdraw' && (
        <Confirm
          title={isRequest ? 'Withdraw the request?' : 'Withdraw the decision?'}
          action="Withdraw"
          loading={withdraw.isPending}
          error={withdraw.error}
          onConfirm={() => withdraw.mutate(decision.id)}
          onClose={() => setDialog(null)}
        >
          {isRequest
            ? 'The request is removed from the queue.'
            : findings === 0
              ? 'It applies to no finding now, and will not apply to future ones.'
              : outcome === 'demoted'
                ? `Its ${plural(findings, 'finding')} have the severity of their scanner again, unless another decision covers them.`
                : `Its ${plural(findings, 'finding')} reopen, unless another decision covers them.`}
        </Confirm>
      )}
    </>
  );
}

/** A decision beside the list: its scope, reason, end, author, and the findings in its scope. */
export function DecisionPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(decisionQuery(id));
  return (
    <aside className={classes.panel} aria-label="Decision">
      <div className={classes.close}>
        <Button kind="quiet" size="xs" onClick={onClose}>
          Close
        </Button>
      </div>
      <Load query={query} rows={6}>
        {(decision) => <Content decision={decision} onClose={onClose} />}
      </Load>
    </aside>
  );
}
