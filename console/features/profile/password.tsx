import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callProfile } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';

export function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => callProfile('PUT', '/password', { current_password: current, new_password: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      void queryClient.invalidateQueries({ queryKey: ['profile', 'sessions'] });
      showToast('The password is changed. All your other sessions have ended.');
    },
  });
  return (
    <Section title="Password" lead="A new password ends all your other sessions.">
      <Form
        submit="Change the password"
        loading={change.isPending}
        error={change.error}
        disabledReason={current === '' || next === '' ? 'Fill in both fields first.' : null}
        onSubmit={() => change.mutate()}
      >
        <PasswordField label="Current password" autoComplete="current-password" value={current} onChange={setCurrent} />
        <PasswordField
          label="New password"
          description="At least 8 characters."
          autoComplete="new-password"
          value={next}
          onChange={setNext}
        />
      </Form>
    </Section>
  );
}
