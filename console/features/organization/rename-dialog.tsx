import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';

/** Changes the name of the organization. */
export function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [text, setText] = useState(name);
  const rename = useMutation({
    mutationFn: () => assay.organization.update({ name: text.trim() }),
    onSuccess: () => {
      for (const key of ['organization', 'profile']) void queryClient.invalidateQueries({ queryKey: [key] });
      onClose();
    },
  });
  return (
    <Dialog title="Rename the organization" onClose={onClose}>
      <Form
        submit="Rename"
        loading={rename.isPending}
        error={rename.error}
        disabledReason={text.trim() === '' ? 'Enter a name first.' : null}
        onCancel={onClose}
        onSubmit={() => rename.mutate()}
      >
        <TextField label="Name" field="name" value={text} maxLength={200} autoFocus onChange={setText} />
      </Form>
    </Dialog>
  );
}
