import type { ApiToken } from '@assay/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { tokensQuery } from './queries.ts';
import { scopesText } from './scope-words.ts';

function Expiry({ token }: { token: ApiToken }) {
  if (token.expires_at === null) return 'never';
  const over = Date.parse(token.expires_at) < serverNow();
  return over ? <strong>expired on {formatDay(token.expires_at)}</strong> : formatDay(token.expires_at);
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => assay.profile.tokens.delete(token.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      showToast(`The token ${token.name} is revoked.`);
      onClose();
    },
  });
  return (
    <Confirm
      title={`Revoke the token ${token.name}?`}
      action="Revoke the token"
      loading={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Programs that use it stop working immediately. This can’t be undone.
    </Confirm>
  );
}

const columnsOf = (onRevoke: (token: ApiToken) => void): Column<ApiToken>[] => [
  { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'Scopes', cell: ({ scopes }) => scopesText(scopes, 'All your permissions') },
  { title: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never'),
  },
  { title: 'Expires', cell: (token) => <Expiry token={token} /> },
  {
    title: 'Revoke',
    isActions: true,
    cell: (token) => (
      <Button size="xs" onClick={() => onRevoke(token)}>
        Revoke
      </Button>
    ),
  },
];

/** The person's API tokens. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  return (
    <Section
      title="API tokens"
      lead="Programs use them to act on your behalf, within the scopes that you choose."
      actions={
        <Button kind="primary" icon={IconPlus} onClick={() => setMaking(true)}>
          New token
        </Button>
      }
    >
      <Load query={tokens} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p>You have no tokens yet.</p>
          ) : (
            <Table label="API tokens" rows={data} keyOf={({ id }) => id} columns={columnsOf(setRevoked)} />
          )
        }
      </Load>
      {making && (
        <NewTokenDialog
          onMade={() => void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })}
          onClose={() => setMaking(false)}
        />
      )}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
    </Section>
  );
}
