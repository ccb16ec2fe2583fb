import type { ApiToken, Member, Session } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { scopesText } from '../profile/scope-words.ts';
import classes from './organization.module.css';

type Access = { member: Member; mayEnd: boolean };

const { members } = assay.organization;
const queryKey = (member: Member, what: string) => ['organization', 'members', member.id, what];

const used = (at: string | null, never: string) => (at ? <Time at={at} /> : never);

/** A button for an action that can't be undone: the second press runs it. */
function Confirmed({ label, confirm, onConfirm }: { label: string; confirm: string; onConfirm: () => void }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button size="xs" onClick={() => setAsked(true)}>
        {label}
      </Button>
    );
  }
  return (
    <Button size="xs" kind="danger" autoFocus onClick={onConfirm}>
      {confirm}
    </Button>
  );
}

const tokenColumns = (onRevoke: ((token: ApiToken) => void) | null): Column<ApiToken>[] => [
  { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'Scopes', cell: ({ scopes }) => scopesText(scopes, 'Everything they may do') },
  { title: 'Last used', cell: ({ last_used_at }) => used(last_used_at, 'never') },
  { title: 'Expires', cell: ({ expires_at }) => (expires_at ? formatDay(expires_at) : 'never') },
  ...(onRevoke
    ? [
        {
          title: 'Revoke',
          isActions: true,
          cell: (token: ApiToken) => (
            <Confirmed label="Revoke" confirm={`Revoke ${token.name}`} onConfirm={() => onRevoke(token)} />
          ),
        },
      ]
    : []),
];

/** The tokens that a member has in this organization. */
function MemberTokens({ member, mayEnd }: Access) {
  const key = queryKey(member, 'tokens');
  const tokens = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const all: ApiToken[] = [];
      for await (const token of members.tokens(member.id, { limit: 200 }, { signal })) all.push(token);
      return all;
    },
  });
  const revoke = useMutation({
    mutationFn: (token: ApiToken) => members.deleteToken(member.id, token.id),
    onSuccess: (_, { name }) => {
      void queryClient.invalidateQueries({ queryKey: key });
      showToast(`The token ${name} is revoked.`);
    },
    onError: showError,
  });
  return (
    <section className={classes.stack} aria-label="API tokens">
      <h3>API tokens</h3>
      <Load query={tokens} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p>None.</p>
          ) : (
            <Table
              label={`API tokens of ${member.name}`}
              rows={list}
              keyOf={({ id }) => id}
              columns={tokenColumns(mayEnd ? revoke.mutate : null)}
            />
          )
        }
      </Load>
    </section>
  );
}

const sessionColumns: Column<Session>[] = [
  { title: 'Browser', cell: ({ user_agent }) => browserName(user_agent) },
  { title: 'Address', cell: ({ ip_address }) => ip_address ?? 'unknown' },
  { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last used', cell: ({ last_active_at }) => used(last_active_at, 'just now') },
];

/** The sessions of a member with access to this organization. */
function MemberSessions({ member, mayEnd }: Access) {
  const key = queryKey(member, 'sessions');
  const sessions = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const all: Session[] = [];
      for await (const session of members.sessions(member.id, { limit: 200 }, { signal })) all.push(session);
      return all;
    },
  });
  const end = useMutation({
    mutationFn: () => members.endSessions(member.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: key });
      showToast(`${member.name} is signed out of this organization.`);
    },
    onError: showError,
  });
  return (
    <section className={classes.stack} aria-label="Sessions">
      <h3>Sessions</h3>
      <Load query={sessions} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p>None.</p>
          ) : (
            <>
              <Table label={`Sessions of ${member.name}`} rows={list} keyOf={({ id }) => id} columns={sessionColumns} />
              {mayEnd && (
                <>
                  <p className={classes.hint}>
                    This signs {member.name} out of this organization, in every browser. Other organizations of this
                    person are not affected.
                  </p>
                  <div className={classes.actions}>
                    <Button kind="danger" loading={end.isPending} onClick={() => end.mutate()}>
                      End all sessions
                    </Button>
                  </div>
                </>
              )}
            </>
          )
        }
      </Load>
    </section>
  );
}

/** The tokens and sessions that give a member access to the organization, for administrators. */
export function MemberAccessDialog({ member, mayEnd, onClose }: Access & { onClose: () => void }) {
  return (
    <Dialog title={`Access of ${member.name}`} onClose={onClose} size="xl">
      <div className={classes.access}>
        <MemberTokens member={member} mayEnd={mayEnd} />
        <MemberSessions member={member} mayEnd={mayEnd} />
      </div>
    </Dialog>
  );
}
