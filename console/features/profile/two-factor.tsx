import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { encode } from 'uqr';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { profileQuery, useProfile } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { FurtherAccessFields, nothingFurther } from '../../ui/further-access.tsx';
import { Section } from '../../ui/page.tsx';
import { Note } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './profile.module.css';

type SetUp = { secret: string; uri: string; recovery_codes: string[] };

const renewProfile = () => queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });

/** A QR code as one SVG path, without a style or an image. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div className={classes.stack}>
      <p>
        <strong>Keep these recovery codes</strong> in your password manager. Each signs you in once without your app.
        They are shown only now.
      </p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.row}>
        <CopyButton text={codes.join('\n')} label="Copy the codes" />
      </div>
    </div>
  );
}

type Proof = { password: string; code?: string };

/** Asks for the password and, while a second factor is on, for a code. Every change of the second factor needs both. */
function ProofStep<T>({
  submit,
  call,
  onDone,
  onCancel,
  children,
}: {
  submit: string;
  call: (proof: Proof) => Promise<T>;
  onDone: (result: T) => void;
  onCancel: () => void;
  /** Further fields. */
  children?: ReactNode;
}) {
  // The state when the dialog opened: the last step of a change must not ask again.
  const [needsCode] = useState(useProfile().two_factor_enabled);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const send = useMutation({
    mutationFn: () => call({ password, ...(needsCode && { code: code.trim() }) }),
    onSuccess: onDone,
  });
  return (
    <Form
      submit={submit}
      loading={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate()}
      onCancel={onCancel}
    >
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
      />
      {needsCode && (
        <TextField
          label="Code of your app, or a recovery code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
        />
      )}
      {children}
    </Form>
  );
}

function ConfirmStep({
  setUp,
  submit,
  replaces,
  onDone,
}: {
  setUp: SetUp;
  submit: string;
  replaces: boolean;
  onDone: () => void;
}) {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => assay.profile.twoFactor.confirm({ code: code.trim() }),
    onSuccess: onDone,
  });
  return (
    <div className={classes.stack}>
      <p>Scan this with your authenticator app, then enter the code that it shows.</p>
      {replaces && <p className={classes.muted}>Until then your current app and recovery codes stay valid.</p>}
      <QrCode text={setUp.uri} label="QR code for an authenticator app" />
      <p className={classes.muted}>
        Or type the key: <code>{setUp.secret}</code>
      </p>
      <Form submit={submit} loading={confirm.isPending} error={confirm.error} onSubmit={() => confirm.mutate()}>
        <TextField
          label="Code"
          field="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          value={code}
          onChange={setCode}
        />
      </Form>
    </div>
  );
}

function SetUpDialog({ onClose }: { onClose: () => void }) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  const [replaces] = useState(useProfile().two_factor_enabled);
  return (
    <Dialog title={replaces ? 'Replace the second factor' : 'Switch on the second factor'} onClose={onClose}>
      {!setUp && (
        <ProofStep
          submit="Continue"
          call={(proof) => assay.profile.twoFactor.setUp(proof)}
          onDone={setSetUp}
          onCancel={onClose}
        />
      )}
      {setUp && !confirmed && (
        <ConfirmStep
          setUp={setUp}
          submit={replaces ? 'Replace it' : 'Switch it on'}
          replaces={replaces}
          onDone={() => {
            setConfirmed(true);
            void renewProfile();
          }}
        />
      )}
      {setUp && confirmed && (
        <div className={classes.stack}>
          <RecoveryCodes codes={setUp.recovery_codes} />
          <Button kind="primary" onClick={onClose}>
            I have saved them
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Dialog title="New recovery codes" onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : (
        <ProofStep
          submit="Create new codes"
          call={(proof) => assay.profile.twoFactor.renewRecoveryCodes(proof)}
          onDone={({ recovery_codes }) => setCodes(recovery_codes)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const [further, setFurther] = useState(nothingFurther);
  return (
    <Dialog title="Switch off the second factor" onClose={onClose}>
      <ProofStep
        submit="Switch it off"
        call={(proof) => assay.profile.twoFactor.remove({ ...proof, ...further })}
        onCancel={onClose}
        onDone={() => {
          void renewProfile();
          void queryClient.invalidateQueries({ queryKey: ['profile'] });
          showToast('The second factor is off.');
          onClose();
        }}
      >
        <FurtherAccessFields value={further} onChange={setFurther} />
      </ProofStep>
    </Dialog>
  );
}

export function TwoFactor() {
  const { two_factor_enabled: on } = useProfile();
  const [dialog, setDialog] = useState<'set-up' | 'codes' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <Section
      title="Second factor"
      lead="A code from an app on your phone, in addition to your password."
      actions={
        on ? (
          <>
            <Button onClick={() => setDialog('set-up')}>Replace</Button>
            <Button onClick={() => setDialog('codes')}>New recovery codes</Button>
            <Button onClick={() => setDialog('remove')}>Switch off</Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => setDialog('set-up')}>
            Switch on
          </Button>
        )
      }
    >
      {on ? <Note>It is on.</Note> : <Note kind="warning">It is off: anyone with your password can sign in.</Note>}
      {dialog === 'set-up' && <SetUpDialog onClose={close} />}
      {dialog === 'codes' && <NewCodesDialog onClose={close} />}
      {dialog === 'remove' && <RemoveDialog onClose={close} />}
    </Section>
  );
}
