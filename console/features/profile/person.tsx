import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { profileQuery, useProfile } from '../../api/session.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';

export function Person() {
  const profile = useProfile();
  const [name, setName] = useState(profile.name);
  const save = useMutation({
    mutationFn: () => assay.profile.update({ name: name.trim() }),
    onSuccess: (saved) => {
      queryClient.setQueryData(profileQuery.queryKey, (old) => old && { ...old, name: saved.name });
      showToast('The name is saved.');
    },
  });
  const unchanged = name.trim() === profile.name || name.trim() === '';
  return (
    <Section title="Name">
      <Form
        submit="Save"
        loading={save.isPending}
        error={save.error}
        disabledReason={unchanged ? 'Change the name first.' : null}
        onSubmit={() => save.mutate()}
      >
        <TextField
          label="Name"
          field="name"
          description="Others see it beside what you do."
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={setName}
        />
      </Form>
    </Section>
  );
}
