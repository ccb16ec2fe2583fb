import { useQuery } from '@tanstack/react-query';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { failedSignInsQuery } from './queries.ts';

const methodNames: Record<string, string> = {
  password: 'password',
  code: 'code',
  recovery_code: 'recovery code',
  passkey: 'passkey',
  single_sign_on: 'single sign-on',
  link: 'link',
  confirmation: 'confirmation within a session',
};

/** Failed attempts to sign in as the person: their own errors, or somebody else's guesses. */
export function FailedSignIns() {
  const failed = useQuery(failedSignInsQuery);
  return (
    <Section
      title="Failed sign-ins"
      lead="Failed attempts to sign in as you in the last 30 days. If they weren’t yours, someone may be guessing your password: a second factor or a passkey keeps them out. If a code failed, they know your password: change it."
    >
      <Load query={failed} rows={2}>
        {(data) =>
          data.length === 0 ? (
            <p>None.</p>
          ) : (
            <Table
              label="Failed sign-ins"
              rows={data}
              keyOf={({ address, first_at }) => `${first_at} ${address}`}
              columns={[
                { title: 'Last tried', cell: ({ last_at }) => <Time at={last_at} /> },
                { title: 'Address', cell: ({ address }) => address ?? 'many others' },
                {
                  title: 'With',
                  cell: ({ methods }) => methods.map((method) => methodNames[method] ?? method).join(', '),
                },
                { title: 'Attempts', cell: ({ attempts }) => attempts },
              ]}
            />
          )
        }
      </Load>
    </Section>
  );
}
