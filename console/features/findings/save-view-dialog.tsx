import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { FindingsState } from './state.ts';
import { createView } from './views.ts';

/** Saves filters and order under a name. */
export default function SaveDialog({ state, onClose }: { state: FindingsState; onClose: () => void }) {
  const mayShare = useMay('views:share');
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => createView(name.trim(), shared, state.filters, state.sort),
    onSuccess: (id) => {
      state.show({ id, filters: state.filters, sort: state.sort });
      showToast(`The view ${name.trim()} is saved.`);
      onClose();
    },
  });
  return (
    <Dialog title="Save these filters as a view" onClose={onClose}>
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={name.trim() === '' ? 'Enter a name first.' : null}
        onCancel={onClose}
        onSubmit={() => save.mutate()}
      >
        <TextField label="Name" value={name} autoFocus maxLength={100} onChange={setName} />
        {mayShare && <Checkbox label="Share it with the organization" checked={shared} onChange={setShared} />}
      </Form>
    </Dialog>
  );
}
