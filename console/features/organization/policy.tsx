import type { Criticality, Policy, Severity } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { criticalityNames } from '../../api/importance.ts';
import { policyQuery } from '../../api/policy.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Select, Switch } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { plural } from '../findings/words.ts';
import classes from './organization.module.css';
import { draftOf, isDays, type PolicyDraft, policyOf } from './policy-draft.ts';
import { PolicyEffect } from './policy-effect.tsx';
import { capitalized } from './words.ts';

const severities: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const criticalities = Object.keys(criticalityNames) as Criticality[];

/** A table of severities and criticalities. */
function DaysTable({ cell }: { cell: (severity: Severity, criticality: Criticality) => React.ReactNode }) {
  return (
    <table className={classes.days}>
      <caption className="visually-hidden">Days to fix, by severity and the criticality of the data source</caption>
      <thead>
        <tr>
          <td />
          <th scope="colgroup" colSpan={criticalities.length}>
            Criticality of the data source
          </th>
        </tr>
        <tr>
          <th scope="col">Severity</th>
          {criticalities.map((criticality) => (
            <th key={criticality} scope="col">
              {criticalityNames[criticality]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {severities.map((severity) => (
          <tr key={severity}>
            <th scope="row">{capitalized(severity)}</th>
            {criticalities.map((criticality) => (
              <td key={criticality}>{cell(severity, criticality)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const repositoryRules: Record<Policy['decisions']['repository_file'], string> = {
  decide: 'Files in a repository decide about its findings.',
  request: 'Files in a repository request decisions about its findings.',
  off: 'Files in a repository don’t decide about its findings.',
};

function Rules({ test_grace_days: grace, stale_after_days: stale, accepted_risk, decisions }: Policy) {
  const { max_days: ownLimit, reason_required: reason } = accepted_risk;
  const limits = [ownLimit, decisions.longest_days].filter((limit) => limit !== null);
  return (
    <ul className={classes.rules}>
      <li>
        {grace === 0 ? 'Findings in test code get no extra days.' : `Findings in test code get ${grace} extra days.`}
      </li>
      <li>
        {decisions.longest_days === null
          ? 'Decisions can hold without a time limit.'
          : `No decision holds for more than ${plural(decisions.longest_days, 'day')}.`}
      </li>
      <li>
        {limits.length === 0
          ? 'A risk can be accepted without a time limit.'
          : `A risk can be accepted for at most ${plural(Math.min(...limits), 'day')}.`}
      </li>
      <li>{`A data source is stale ${plural(stale, 'day')} after its last complete scan.`}</li>
      <li>
        {decisions.justification_required
          ? 'False positives and accepted risks need a class of reasons.'
          : 'False positives and accepted risks need no class of reasons.'}
      </li>
      <li>{reason ? 'Accepting a risk needs a reason.' : 'Accepting a risk needs no reason.'}</li>
      <li>
        {decisions.approval_from === null
          ? 'An analyst can close findings alone.'
          : `From ${decisions.approval_from} severity, a second person (${decisions.approvers} or above) approves what closes findings.`}
      </li>
      <li>{`Decisions can be requested by a ${decisions.who_may_request} and above.`}</li>
      <li>{repositoryRules[decisions.repository_file]}</li>
    </ul>
  );
}

type DaysProps = {
  days: PolicyDraft['days'];
  stored: PolicyDraft['days'];
  onChange: (days: PolicyDraft['days']) => void;
};

const DaysFields = ({ days, stored, onChange }: DaysProps) => (
  <DaysTable
    cell={(severity, criticality) => (
      <input
        className={classes.dayInput}
        data-changed={days[severity][criticality] !== stored[severity][criticality]}
        aria-label={`Days: ${severity} severity, ${criticality} criticality`}
        aria-invalid={!isDays(days[severity][criticality])}
        inputMode="numeric"
        maxLength={4}
        value={days[severity][criticality]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...days, [severity]: { ...days[severity], [criticality]: value } })
        }
      />
    )}
  />
);

type PolicyDecisions = Policy['decisions'];

const approvalOptions: Array<{ value: Severity | 'never'; label: string }> = [
  { value: 'never', label: 'Never' },
  ...severities.map((severity) => ({
    value: severity,
    label: severity === 'critical' ? 'Critical only' : `From ${severity}`,
  })),
];
const approverOptions: Array<{ value: PolicyDecisions['approvers']; label: string }> = [
  { value: 'admin', label: 'Admins and owners' },
  { value: 'analyst', label: 'Analysts and above' },
];
const requesterOptions: Array<{ value: PolicyDecisions['who_may_request']; label: string }> = [
  { value: 'developer', label: 'Developers and above' },
  { value: 'viewer', label: 'Every member' },
];

const repositoryOptions: Array<{ value: PolicyDecisions['repository_file']; label: string }> = [
  { value: 'decide', label: 'Decide' },
  { value: 'request', label: 'Request' },
  { value: 'off', label: 'Have no effect' },
];

type RulesProps = { draft: PolicyDraft; change: (values: Partial<PolicyDraft>) => void };

const RuleFields = ({ draft, change }: RulesProps) => (
  <>
    <TextField
      label="Extra days for test code"
      inputMode="numeric"
      value={draft.grace}
      onChange={(grace) => change({ grace })}
    />
    <TextField
      label="Maximum days for an accepted risk"
      description="Leave empty for no limit"
      inputMode="numeric"
      value={draft.longest}
      onChange={(longest) => change({ longest })}
    />
    <TextField
      label="Maximum days for any decision"
      description="Leave empty for no limit. Without an end of its own, a false positive ends then"
      inputMode="numeric"
      value={draft.longestDecision}
      onChange={(longestDecision) => change({ longestDecision })}
    />
    <TextField
      label="Days until a data source is stale"
      description="After its last complete scan: 1 to 365"
      inputMode="numeric"
      value={draft.stale}
      onChange={(stale) => change({ stale })}
    />
    <Select
      label="A second person approves what closes findings"
      value={draft.decisions.approval_from ?? 'never'}
      onChange={(from) =>
        change({ decisions: { ...draft.decisions, approval_from: from === 'never' ? null : (from as Severity) } })
      }
      options={approvalOptions}
    />
    <Select
      label="Who approves"
      value={draft.decisions.approvers}
      onChange={(role) =>
        change({ decisions: { ...draft.decisions, approvers: role as PolicyDecisions['approvers'] } })
      }
      options={approverOptions}
    />
    <Select
      label="Who may request decisions"
      value={draft.decisions.who_may_request}
      onChange={(role) =>
        change({ decisions: { ...draft.decisions, who_may_request: role as PolicyDecisions['who_may_request'] } })
      }
      options={requesterOptions}
    />
    <Select
      label="Decisions in a repository"
      description=".assay/decisions.yaml and comments, from the next scan on"
      value={draft.decisions.repository_file}
      onChange={(effect) =>
        change({
          decisions: { ...draft.decisions, repository_file: effect as PolicyDecisions['repository_file'] },
        })
      }
      options={repositoryOptions}
    />
    <Switch
      label="False positives and accepted risks need a class of reasons"
      checked={draft.decisions.justification_required}
      onChange={(needed) => change({ decisions: { ...draft.decisions, justification_required: needed } })}
    />
    <Switch
      label="Accepting a risk needs a reason"
      checked={draft.reasonRequired}
      onChange={(reasonRequired) => change({ reasonRequired })}
    />
  </>
);

function PolicyDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(policy));
  const change = (values: Partial<PolicyDraft>) => setDraft({ ...draft, ...values });
  const save = useMutation({
    mutationFn: (next: Omit<Policy, 'sign_in'>) => assay.organization.replacePolicy(next),
    onSuccess: (saved) => {
      queryClient.setQueryData(policyQuery.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ['data-sources'] });
      showToast('The policy is saved. Due dates are updated in the background.');
      onClose();
    },
  });
  const next = policyOf(draft);
  return (
    <Dialog title="Change the policy" onClose={onClose} size="lg">
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={
          next === null ? 'Enter whole numbers of days: 1 to 3650 (or empty) to fix, 1 to 365 until stale.' : null
        }
        onCancel={onClose}
        onSubmit={() => next && save.mutate(next)}
      >
        <p className={classes.hint}>
          Days to fix a finding, counted from when it was first seen or last reopened. Leave empty for no due date.
        </p>
        <DaysFields days={draft.days} stored={draftOf(policy).days} onChange={(days) => change({ days })} />
        <PolicyEffect policy={policy} next={next} />
        <RuleFields draft={draft} change={change} />
      </Form>
    </Dialog>
  );
}

/** The times to fix findings, and the conditions for accepting risks. */
export function PolicySection() {
  const query = useQuery(policyQuery);
  const mayManage = useMay('organization:write');
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="Policy"
      lead="Days to fix a finding, by its severity and the criticality of its data source."
      actions={mayManage && query.data && <Button onClick={() => setEditing(true)}>Change the policy</Button>}
    >
      <Load query={query} rows={5}>
        {(policy) => (
          <>
            <div className={classes.policy}>
              <DaysTable cell={(severity, criticality) => policy.days_to_fix[severity][criticality] ?? '–'} />
              <Rules {...policy} />
            </div>
            {editing && <PolicyDialog policy={policy} onClose={() => setEditing(false)} />}
          </>
        )}
      </Load>
    </Section>
  );
}
