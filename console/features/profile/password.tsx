import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callProfile } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FurtherAccessFields, nothingFurther } from '../../ui/further-access.tsx';
import { Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';

export function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [further, setFurther] = useState(nothingFurther);
  const change = useMutation({
    mutationFn: () => callProfile('PUT', '/password', { current_password: current, new_password: next, ...further }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setFurther(nothingFurther);
      void queryClient.invalidateQueries({ queryKey: ['profile'] });
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
        <PasswordField
          label="Current password"
          field="current_password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <PasswordField
          label="New password"
          field="new_password"
          description="At least 8 characters."
          autoComplete="new-password"
          value={next}
          onChange={setNext}
        />
        <FurtherAccessFields value={further} onChange={setFurther} />
      </Form>
    </Section>
  );
}
