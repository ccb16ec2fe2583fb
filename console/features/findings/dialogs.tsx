import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { policyQuery } from '../../api/policy.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Select, TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import type { Change } from './changes.ts';
import type { ListedFinding } from './listed-finding.ts';
import { plural } from './words.ts';

type DialogProps = { count: number; onApply: (change: Change) => void; onClose: () => void };

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
const until = (days: string) =>
  days === 'none' ? null : new Date(serverNow() + Number(days) * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');

const usualDays = [30, 90, 180];

/** Returns the times for which a risk can be accepted, under the longest that the policy allows. */
function acceptanceOptions(maxDays: number | null) {
  if (maxDays === null)
    return [
      ...usualDays.map((days) => ({ value: `${days}`, label: `${days} days` })),
      { value: 'none', label: 'No end' },
    ];
  const allowed = new Set([...usualDays.filter((days) => days < maxDays), maxDays]);
  return [...allowed].map((days) => ({ value: `${days}`, label: `${days} days` }));
}

/** Asks why findings are not a problem, or why their risk is accepted and until when. Enter alone skips the reason. */
export function ReasonDialog({
  status,
  count,
  onApply,
  onClose,
}: DialogProps & { status: 'false_positive' | 'accepted_risk' }) {
  const [reason, setReason] = useState('');
  const [chosenDays, setDays] = useState('90');
  const accepts = status === 'accepted_risk';
  const rules = useQuery({ ...policyQuery, enabled: accepts }).data?.accepted_risk;
  const options = acceptanceOptions(rules?.max_days ?? null);
  const days = options.some(({ value }) => value === chosenDays) ? chosenDays : options.at(-1)!.value;
  const needsReason = accepts && (rules?.reason_required ?? false);
  const apply = () => {
    const comment = reason.trim();
    rememberReason(status, comment);
    onApply({
      status,
      ...(comment !== '' && { comment }),
      ...(accepts && { accepted_until: until(days) }),
    });
    onClose();
  };
  return (
    <Dialog
      title={accepts ? `Accept the risk of ${plural(count, 'finding')}` : `${plural(count, 'finding')}: false positive`}
      onClose={onClose}
    >
      <Form
        submit={accepts ? 'Accept risk' : 'Mark as false positive'}
        loading={false}
        error={null}
        disabledReason={needsReason && reason.trim() === '' ? 'Your policy asks for a reason.' : null}
        onSubmit={apply}
        onCancel={onClose}
      >
        <TextField
          label="Reason"
          description={
            needsReason ? 'It becomes a comment.' : 'It becomes a comment. Press Enter to continue without one.'
          }
          value={reason}
          autoFocus
          maxLength={1000}
          onChange={setReason}
        />
        {recentReasons(status).map((recent) => (
          <Button key={recent} size="xs" kind="quiet" onClick={() => setReason(recent)}>
            {recent}
          </Button>
        ))}
        {accepts && <Choice label="Accepted for" value={days} onChange={setDays} options={options} />}
      </Form>
    </Dialog>
  );
}

/** Chooses the assignee of findings. */
export function AssignDialog({ count, onApply, onClose }: DialogProps) {
  const members = useQuery(memberChoicesQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const assign = (person: string | null) => {
    onApply({ assignee: person === 'none' ? null : person });
    onClose();
  };
  return (
    <Dialog title={`Assign ${plural(count, 'finding')}`} onClose={onClose}>
      <Load query={members} rows={3}>
        {(list) => (
          <Form
            submit="Assign"
            loading={false}
            error={null}
            disabledReason={chosen === null ? 'Choose a person first.' : null}
            onCancel={onClose}
            onSubmit={() => assign(chosen)}
          >
            <Select
              label="Person"
              value={chosen}
              onChange={setChosen}
              onEnter={assign}
              autoFocus
              searchable
              placeholder="Name or email"
              options={[
                { value: 'none', label: 'Nobody' },
                ...list.map(({ id, name, email }) => ({
                  value: id,
                  label: name === email ? name : `${name} (${email})`,
                })),
              ]}
            />
          </Form>
        )}
      </Load>
    </Dialog>
  );
}

const readTags = (text: string) => [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');

type TagDialogProps = DialogProps & { findings: ListedFinding[] };

/** Changes the tags of one finding. */
function TagsOfOne({ findings, onApply, onClose }: TagDialogProps) {
  const [text, setText] = useState(() => findings[0]?.tags.join(', ') ?? '');
  return (
    <Dialog title="Tags of 1 finding" onClose={onClose}>
      <Form
        submit="Set tags"
        loading={false}
        error={null}
        onCancel={onClose}
        onSubmit={() => {
          onApply({ tags: readTags(text) });
          onClose();
        }}
      >
        <TextField label="Tags" description="Separated by commas." value={text} autoFocus onChange={setText} />
      </Form>
    </Dialog>
  );
}

/** Adds tags to many findings and removes others; those that are not named stay. */
function TagsOfMany({ count, onApply, onClose }: TagDialogProps) {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [add, remove] = [readTags(added), readTags(removed)];
  const both = add.find((tag) => remove.includes(tag));
  const nothing = add.length + remove.length === 0 ? 'Name a tag first.' : null;
  return (
    <Dialog title={`Tags of ${plural(count, 'finding')}`} onClose={onClose}>
      <Form
        submit="Change tags"
        loading={false}
        error={null}
        disabledReason={both === undefined ? nothing : `“${both}” is in both.`}
        onCancel={onClose}
        onSubmit={() => {
          onApply({ ...(add.length > 0 && { add_tags: add }), ...(remove.length > 0 && { remove_tags: remove }) });
          onClose();
        }}
      >
        <TextField label="Add" description="Separated by commas." value={added} autoFocus onChange={setAdded} />
        <TextField label="Remove" description="Other tags stay." value={removed} onChange={setRemoved} />
      </Form>
    </Dialog>
  );
}

export const TagDialog = (props: TagDialogProps) =>
  props.count === 1 && props.findings.length === 1 ? <TagsOfOne {...props} /> : <TagsOfMany {...props} />;

/** Comments on findings. */
export function CommentDialog({ count, onApply, onClose }: DialogProps) {
  const [text, setText] = useState('');
  return (
    <Dialog title={`Comment on ${plural(count, 'finding')}`} onClose={onClose}>
      <Form
        submit="Comment"
        loading={false}
        error={null}
        disabledReason={text.trim() === '' ? 'Write something first.' : null}
        onCancel={onClose}
        onSubmit={() => {
          onApply({ comment: text.trim() });
          onClose();
        }}
      >
        <TextArea label="Comment" placeholder="Markdown" value={text} autoFocus onChange={setText} />
      </Form>
    </Dialog>
  );
}
