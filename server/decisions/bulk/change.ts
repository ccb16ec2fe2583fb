import type { BulkDecisionInput } from '../../findings/decision-input.ts';
import type { Status } from '../../findings/lifecycle.ts';
import type { Decision } from '../../findings/triage-findings.ts';
import { readTime } from '../../platform/times.ts';

/** The change of an operation, as stored and shown: the request's change with tags folded and the assignee as an id. */
export type ChangeInput = {
  status?: Status;
  tags?: string[];
  add_tags?: string[];
  remove_tags?: string[];
  assignee?: string | null;
  comment?: string;
  accepted_until?: string | null;
  justification?: BulkDecisionInput['justification'];
};

/** Returns the change of a request whose decision has been checked. */
export function changeOf(input: BulkDecisionInput, decision: Decision): ChangeInput {
  const change: ChangeInput = { ...input };
  if (decision.tags) change.tags = decision.tags;
  if (decision.addTags) change.add_tags = decision.addTags;
  if (decision.removeTags) change.remove_tags = decision.removeTags;
  if (decision.assigneeId !== undefined) change.assignee = decision.assigneeId;
  return change;
}

/** Returns the decision of a stored change. It was checked when it was requested. */
export function decisionOf(change: ChangeInput): Decision {
  const { accepted_until: until } = change;
  return {
    status: change.status,
    tags: change.tags,
    addTags: change.add_tags,
    removeTags: change.remove_tags,
    assigneeId: change.assignee,
    comment: change.comment,
    justification: change.justification,
    acceptedUntil: typeof until === 'string' ? readTime(until) : until,
  };
}
