import { APIStatusError } from '@assay/client';
import { PasswordField } from '../../ui/fields.tsx';

/** Whether the server wants the password again, since the sign-in was more than 15 minutes ago. */
export const needsPassword = (error: unknown): boolean =>
  error instanceof APIStatusError && error.code === 'recent_sign_in_required';

export function RecentPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordField
      label="Your password"
      description="You signed in more than 15 minutes ago."
      autoComplete="current-password"
      value={value}
      onChange={onChange}
    />
  );
}
