import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { Select, TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import type { Change } from './changes.ts';
import type { ListedFinding } from './listed-finding.ts';
import { plural } from './words.ts';

export type DialogProps = { count: number; onApply: (change: Change) => void; onClose: () => void };

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

/** Adds tags to many findings and removes others; unlisted tags stay. */
function TagsOfMany({ count, onApply, onClose }: TagDialogProps) {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [add, remove] = [readTags(added), readTags(removed)];
  const both = add.find((tag) => remove.includes(tag));
  const nothing = add.length + remove.length === 0 ? 'Enter a tag first.' : null;
  return (
    <Dialog title={`Tags of ${plural(count, 'finding')}`} onClose={onClose}>
      <Form
        submit="Change tags"
        loading={false}
        error={null}
        disabledReason={both === undefined ? nothing : `“${both}” is listed as added and as removed.`}
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
        disabledReason={text.trim() === '' ? 'Enter a comment first.' : null}
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
