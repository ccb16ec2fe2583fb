import type { Decision } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useProfile } from '../../api/session.ts';
import { useCommands } from '../../keys/registry.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Load } from '../../ui/states.tsx';
import { plural } from '../findings/words.ts';
import classes from './decisions.module.css';
import { approvalQuery, useAnswer, useApproveMany } from './queries.ts';

type Request = Pick<Decision, 'id' | 'version' | 'requested_by'>;

/** Whether this person approves or rejects requests; nobody does so with their own. */
export function useMayAnswer(): (request: Request) => boolean {
  const { id } = useProfile();
  const mayDecide = useMay('findings:write');
  return ({ requested_by: by }) => mayDecide && by?.id !== id;
}

type AnswerProps = { request: Decision; kind: 'approve' | 'reject'; onClose: () => void; onDone: () => void };

/** Approves or rejects a request in the version that the page shows. */
function AnswerDialog({ request, kind, onClose, onDone }: AnswerProps) {
  const [answer, setAnswer] = useState('');
  const save = useAnswer(kind, () => {
    onClose();
    onDone();
  });
  const { id, version, requested_by: by } = request;
  return (
    <Dialog title={kind === 'approve' ? 'Approve the request?' : 'Reject the request?'} onClose={onClose}>
      <Form
        submit={kind === 'approve' ? 'Approve' : 'Reject'}
        loading={save.isPending}
        error={save.error}
        onCancel={onClose}
        onSubmit={() => save.mutate({ id, version, ...(answer.trim() !== '' && { answer: answer.trim() }) })}
      >
        <TextArea
          label={`Message to ${by?.name ?? 'the requester'}`}
          field="answer"
          rows={2}
          autoFocus
          value={answer}
          onChange={setAnswer}
        />
      </Form>
    </Dialog>
  );
}

/** Returns a function that asks to approve or reject a request, and the dialog that is open for it. */
function useAnswerDialog(request: Decision, onDone: () => void) {
  const [kind, setKind] = useState<'approve' | 'reject' | null>(null);
  return {
    ask: setKind,
    dialog: kind && <AnswerDialog request={request} kind={kind} onClose={() => setKind(null)} onDone={onDone} />,
  };
}

/** The buttons and keys that answer the request of a page. */
export function AnswerByKey({ request, onDone }: { request: Decision; onDone: () => void }) {
  const { ask, dialog } = useAnswerDialog(request, onDone);
  useCommands([
    { keys: ['y'], label: 'Approve the request', section: 'Decisions', run: () => ask('approve') },
    { keys: ['n'], label: 'Reject the request', section: 'Decisions', run: () => ask('reject') },
  ]);
  return (
    <>
      <Button kind="primary" hint="y" onClick={() => ask('approve')}>
        Approve
      </Button>
      <Button hint="n" onClick={() => ask('reject')}>
        Reject
      </Button>
      {dialog}
    </>
  );
}

/** The buttons that answer one of several requests; `about` tells them apart for screen readers. */
export function AnswerButtons({ request, about }: { request: Decision; about: string }) {
  const { ask, dialog } = useAnswerDialog(request, () => {});
  return (
    <>
      <Button size="xs" aria-label={`Approve: ${about}`} onClick={() => ask('approve')}>
        Approve
      </Button>
      <Button size="xs" kind="quiet" aria-label={`Reject: ${about}`} onClick={() => ask('reject')}>
        Reject
      </Button>
      {dialog}
    </>
  );
}

/** Approves several requests, after a preview of the findings in their scopes. */
export function ApproveDialog({ requests, onClose }: { requests: Request[]; onClose: () => void }) {
  const preview = useQuery(approvalQuery(requests));
  const approve = useApproveMany(onClose);
  const possible = preview.data?.approved ?? [];
  return (
    <Dialog title={`Approve ${plural(requests.length, 'request')}?`} onClose={onClose}>
      <Load query={preview} rows={2}>
        {({ approved, refused, preview: found }) => (
          <Form
            submit={`Approve ${approved.length}`}
            loading={approve.isPending}
            error={approve.error}
            disabledReason={approved.length === 0 ? 'You can’t approve any of these requests.' : null}
            onCancel={onClose}
            onSubmit={() => approve.mutate(requests.filter(({ id }) => possible.includes(id)))}
          >
            {found && (
              <p>
                {plural(found.findings, 'finding')} in their scopes, {found.open.toLocaleString('en')} of them open. The
                decisions also apply to future findings.
              </p>
            )}
            {refused.length > 0 && (
              <ul className={classes.samples}>
                {refused.map(({ id, message }) => (
                  <li key={id}>{message}</li>
                ))}
              </ul>
            )}
          </Form>
        )}
      </Load>
    </Dialog>
  );
}
