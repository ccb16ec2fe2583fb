import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMay } from '../../api/session.ts';
import { useUrl } from '../../api/use-url.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { tabsOf } from '../../ui/tabs.tsx';
import { formatDay } from '../../ui/time.tsx';
import { InstallationSection } from './installation.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import classes from './organization.module.css';
import { PolicySection } from './policy.tsx';
import { organizationQuery } from './queries.ts';
import { SignInPolicySection } from './sign-in-policy.tsx';
import { roleWords } from './words.ts';

/** Changes the name of the organization. */
function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [text, setText] = useState(name);
  const rename = useMutation({
    mutationFn: () => assay.organization.update({ name: text.trim() }),
    onSuccess: () => {
      for (const key of ['organization', 'profile']) void queryClient.invalidateQueries({ queryKey: [key] });
      onClose();
    },
  });
  return (
    <Dialog title="Rename the organization" onClose={onClose}>
      <Form
        submit="Rename"
        loading={rename.isPending}
        error={rename.error}
        disabledReason={text.trim() === '' ? 'Enter a name first.' : null}
        onCancel={onClose}
        onSubmit={() => rename.mutate()}
      >
        <TextField label="Name" field="name" value={text} maxLength={200} autoFocus onChange={setText} />
      </Form>
    </Dialog>
  );
}

function Roles() {
  return (
    <Section title="Permissions of each role" lead="Each role includes the permissions of the roles above it.">
      <dl className={classes.roles}>
        {Object.entries(roleWords).map(([role, words]) => (
          <div key={role}>
            <dt>{role}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const tabs = { general: 'General', members: 'Members', policy: 'Policy', sign_in: 'Sign-in' };

function General() {
  const organization = useQuery(organizationQuery);
  const mayManage = useMay('organization:write');
  const mayCheck = useMay('installation:read');
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <Load query={organization} rows={3}>
        {({ name, rate_limit, created_at, id }) => (
          <Section title={name} actions={mayManage && <Button onClick={() => setRenaming(true)}>Rename</Button>}>
            <Facts
              entries={[
                ['Since', formatDay(created_at)],
                [
                  'Rate limit of API tokens',
                  `${rate_limit.requests_per_minute.toLocaleString('en')} requests a minute for each token, ${rate_limit.burst_per_minute.toLocaleString('en')} in a burst`,
                ],
                ['API id', <CopyButton key="id" text={id} label="Copy the id" />],
              ]}
            />
            {renaming && <RenameDialog name={name} onClose={() => setRenaming(false)} />}
          </Section>
        )}
      </Load>
      {mayCheck && organization.data?.runs_installation && <InstallationSection />}
    </>
  );
}

/** The organization: its name, its members with their roles, and its policies. */
export default function OrganizationPage() {
  const [search, change] = useUrl();
  const mayManage = useMay('organization:write');
  const members = useQuery(memberChoicesQuery);
  const tab = Object.hasOwn(tabs, search.tab ?? '') ? search.tab : 'general';
  return (
    <Page
      title="Organization"
      tabs={tabsOf(paths.organization, tabs, tab).map((shown) =>
        shown.label === tabs.members ? { ...shown, count: members.data?.length } : shown,
      )}
      actions={
        tab === 'members' &&
        mayManage && (
          <Button kind="primary" icon={IconPlus} onClick={() => change({ add: 'invitation' })}>
            Invite
          </Button>
        )
      }
    >
      {tab === 'general' && <General />}
      {tab === 'members' && (
        <>
          <Members />
          {/* Later than the members, so that nothing moves. */}
          {members.data && mayManage && <Invitations />}
          {members.data && <Roles />}
        </>
      )}
      {tab === 'policy' && <PolicySection />}
      {tab === 'sign_in' && <SignInPolicySection />}
    </Page>
  );
}
