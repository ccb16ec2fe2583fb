import { Checkbox } from './fields.tsx';

/** The other ways into an account, which stay unless the person ends them too, by the API's names. */
export type FurtherAccess = { revoke_tokens: boolean; remove_passkeys: boolean };

export const nothingFurther: FurtherAccess = { revoke_tokens: false, remove_passkeys: false };

/** Asks whether API tokens and passkeys end too when a person changes how they sign in. */
export function FurtherAccessFields({
  value,
  onChange,
  passkeys = 'Remove my passkeys too',
}: {
  value: FurtherAccess;
  onChange: (value: FurtherAccess) => void;
  passkeys?: string;
}) {
  return (
    <>
      <Checkbox
        label="Revoke my API tokens too"
        description="In case someone else created one. Programs that use them stop working immediately."
        checked={value.revoke_tokens}
        onChange={(revoke_tokens) => onChange({ ...value, revoke_tokens })}
      />
      <Checkbox
        label={passkeys}
        description="In case someone else added one."
        checked={value.remove_passkeys}
        onChange={(remove_passkeys) => onChange({ ...value, remove_passkeys })}
      />
    </>
  );
}
