import { APIStatusError } from '@assay/client';
import { type ReactNode, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { PasswordField } from '../../ui/fields.tsx';

/** Whether the server requires the password because the sign-in was more than 15 minutes ago. */
const needsPassword = (error: unknown): boolean =>
  error instanceof APIStatusError && error.code === 'recent_sign_in_required';

type RecentPassword = {
  /** The fields that the request's body needs. */
  body: { password?: string };
  /** The reason why the form can't be sent yet. */
  missing: string | null;
  /** The field, once the server has requested the password. */
  field: ReactNode;
  /** Returns an error unless it only requests the password, which the field does. */
  shown: (error: unknown) => unknown;
  /** To be called when sending fails. */
  onError: (error: unknown) => void;
};

/**
 * The person's password, for actions that a stolen session must not allow. It is requested only if the server requires
 * it, or from the start with `always`.
 */
export function useRecentPassword(always = false): RecentPassword {
  const [password, setPassword] = useState('');
  const [wasAsked, setAsked] = useState(false);
  const { has_password: hasPassword } = useProfile();
  const asked = wasAsked || (always && hasPassword);
  return {
    body: password === '' ? {} : { password },
    missing: asked && password === '' ? 'Enter your password.' : null,
    field: asked && (
      <PasswordField
        label="Your password"
        description={
          always ? undefined : 'You signed in more than 15 minutes ago. Enter your password, or sign in again.'
        }
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
      />
    ),
    // A person without a password must sign in again, as the error says.
    shown: (error) => (needsPassword(error) && hasPassword ? null : error),
    onError: (error) => {
      if (needsPassword(error) && hasPassword) setAsked(true);
    },
  };
}
