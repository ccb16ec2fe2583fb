import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { totpOf } from '../../server/identity/totp.fixture.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { startMailReceiver } from '../harness/smtp.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const mail = await startMailReceiver();
const installation = new HostedInstallation({ ...ownerEnvironment, SMTP_URL: mail.url });
const password = 'another long secret';
let browser: Browser;
let owner: Visitor;
let invited: Visitor;

/** By host name, since browsers offer no passkeys for an IP address. */
const origin = () => installation.origin.replace('127.0.0.1', 'localhost');
const arrive = () => Visitor.arrive(browser, { origin: origin() });

before(async () => {
  await installation.start();
  browser = await openBrowser();
  owner = await arrive();
  invited = await arrive();
});

after(async () => {
  await browser?.close();
  await installation.remove();
  await mail.close();
});

test('a wrong password is refused with a sentence, and the right one leads to the requested page', async () => {
  const { page } = owner;
  await owner.open('/profile');
  await page.getByLabel('Email').fill('owner@example.com');
  const password = page.getByLabel('Password', { exact: true });
  assert.equal(await password.getAttribute('type'), 'password');
  assert.equal(await password.getAttribute('autocomplete'), 'current-password');
  await password.fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  assert.deepEqual(await owner.findBarriers(), []);
  await owner.signIn(undefined, '/profile?tab=tokens');
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
});

test('the profile shows the failed sign-ins of the account', async () => {
  const row = owner.page.getByRole('row', { name: /127\.0\.0\.1.*password.*1/ });
  await eventually(async () => {
    await owner.open('/profile?tab=sign_in');
    await owner.page.getByRole('heading', { name: 'Failed sign-ins' }).waitFor();
    return (await row.count()) === 1 ? true : undefined;
  });
});

test('a sign-in never leads to another site', async () => {
  const visitor = await arrive();
  await visitor.signIn(undefined, '/sign-in?redirect=https://example.org/');
  assert.equal(new URL(visitor.page.url()).origin, origin());
  await visitor.context.close();
});

test('a token created in the profile works at once, within its scopes, until it is revoked', async () => {
  const { page } = owner;
  await owner.open('/profile?tab=tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('pipeline');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = (await page.getByTestId('token').innerText()).trim();
  const status = async (path: string) =>
    (await fetch(`${installation.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const command = await page.getByTestId('command').innerText();
  assert.match(command, /^curl /);
  assert.deepEqual(JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).data, []);
  assert.equal(await status('/scans'), 403);
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('row', { name: /pipeline/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByRole('row', { name: /pipeline/ }).waitFor({ state: 'detached' });
  assert.equal(await status('/findings'), 401);
});

test('an invited person accepts by the link, is signed in, and sees no controls of administrators', async () => {
  await owner.open('/organization?tab=members');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('analyst@example.com');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const mails = () => mail.received.filter(({ to }) => to.includes('analyst@example.com'));
  await eventually(async () => mails().length === 1);
  await owner.page.getByRole('button', { name: 'New link' }).click();
  const received = await eventually(async () => mails()[1]);
  const link = /\/accept-invitation\?token=[\w-]+/.exec(received.parts[0]!.content.toString())![0];
  const { page } = invited;
  await invited.open(link);
  await page.getByLabel('Your name').fill('Ana Analyst');
  await page.getByLabel('Choose a password').fill(password);
  assert.deepEqual(await invited.findBarriers(), []);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  // The new password signs the person in.
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await invited.open('/organization?tab=members');
  await page.getByRole('row', { name: /analyst@example\.com/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Invite' }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Audit' }).count(), 0);
});

test('the organization is renamed, and has its new name everywhere', async () => {
  const { page } = owner;
  await owner.open('/organization');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Acme Security');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Acme Security' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByText('Acme Security').waitFor();
});

test('a viewer sees no button that would fail', async () => {
  const { data } = await installation.ask('GET', '/organization/members');
  const member = data.find(({ email }: { email: string }) => email === 'analyst@example.com');
  // The server ends the connection with the old role; the next one resumes from there.
  const resumed = invited.page.waitForRequest(async (request) => {
    if (!request.url().endsWith('/api/v1/events')) return false;
    return /^\d+$/.test((await request.allHeaders())['last-event-id'] ?? '');
  });
  await installation.ask('PATCH', `/organization/members/${member.id}`, { role: 'viewer' });
  await resumed;
  const refused =
    /^(Rename|Add|Create|Scan|Make|New|Schedule|Edit|Delete|Import|Cancel|Invite|Remove|Revoke|Triage|In progress|Resolved|False positive|Accept|Reopen$|Assign|Tag)/;
  for (const path of [
    '/findings',
    '/data-sources',
    '/scans',
    '/schedules',
    '/reports',
    '/organization',
    '/organization?tab=members',
  ]) {
    await invited.open(path);
    await invited.settled();
    assert.deepEqual(await invited.page.getByRole('button', { name: refused }).allTextContents(), [], path);
  }
});

let recoveryCodes: string[] = [];

test('a second factor requires a code, and a recovery code works once', async () => {
  const { page } = invited;
  await invited.open('/profile?tab=sign_in');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog').getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret = await page.getByRole('dialog').locator('code').innerText();
  await page.getByLabel('Code', { exact: true }).fill(totpOf(secret));
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.getByText('Keep these recovery codes').waitFor();
  recoveryCodes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  const again = await arrive();
  await again.open('/sign-in');
  await again.page.getByLabel('Email').fill('analyst@example.com');
  await again.page.getByLabel('Password', { exact: true }).fill(password);
  await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.page.getByLabel('Recovery code').fill(recoveryCodes[0]!);
  await again.page.getByRole('button', { name: 'Continue' }).click();
  await again.page.getByRole('navigation', { name: 'Main' }).waitFor();
  await again.context.close();
});

test('leaving the page while the second factor is replaced changes nothing, and turning it off needs a code', async () => {
  const { page } = invited;
  const prove = async (button: string, code: string) => {
    await page.getByRole('dialog').getByLabel('Your password').fill(password);
    await page.getByRole('dialog').getByLabel('Code of your app, or a recovery code').fill(code);
    await page.getByRole('button', { name: button }).click();
  };
  await invited.open('/profile?tab=sign_in');
  await page.getByRole('button', { name: 'Replace' }).click();
  await prove('Continue', recoveryCodes[1]!);
  await page.getByText('Until then your current app and recovery codes stay valid.').waitFor();
  await invited.open('/profile?tab=sign_in');
  await page.getByText('It is on.').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await prove('Switch it off', recoveryCodes[2]!);
  await page.getByText('It is off:').waitFor();
});

test('a passkey is added in the profile and signs in without a password', async () => {
  const { page } = owner;
  const client = await owner.context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await owner.open('/profile?tab=sign_in');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('row', { name: /laptop/ }).waitFor();
  await page.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('after a sign-out, no data of the person is left in the page or in the storage of the browser', async () => {
  const { page } = owner;
  await owner.open('/profile');
  await page.getByText('owner@example.com').first().waitFor();
  await page.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const passkey = page.getByRole('button', { name: 'Sign in with a passkey' });
  await passkey.waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.doesNotMatch(`${await page.content()}${kept}`, /owner@example\.com|usr_|org_|session_token/);
  await passkey.click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('a new password revokes the API tokens only when the person asks for it', async () => {
  const { page } = invited;
  await invited.open('/profile?tab=tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('of somebody');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /of somebody/ });
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed.').first().waitFor();
  };
  await invited.open('/profile?tab=sign_in');
  await change(password, `${password} 2`);
  await invited.open('/profile?tab=tokens');
  await row.waitFor();
  await invited.open('/profile?tab=sign_in');
  await page.getByLabel('Revoke my API tokens too').check();
  await change(`${password} 2`, password);
  await invited.follow('/profile?tab=tokens');
  await page.getByText('You have no tokens yet.').or(page.getByRole('table')).first().waitFor();
  await row.waitFor({ state: 'detached' });
});

test('an owner sees, revokes and ends the tokens and sessions of a member', async () => {
  await invited.open('/profile');
  const token = await invited.page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'of the member' });
    const response = await fetch('/api/v1/profile/tokens', { method: 'POST', headers, body });
    return (await response.json()).token as string;
  });
  const { page } = owner;
  await owner.open('/organization?tab=members');
  await page
    .getByRole('row', { name: /analyst@example\.com/ })
    .getByRole('button', { name: 'Access' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Access of Ana Analyst' });
  await dialog.getByRole('table', { name: 'Sessions of Ana Analyst' }).waitFor();
  assert.deepEqual(await owner.findBarriers(), []);
  assert.equal(await owner.overflowOnPhone(), 0);
  const row = dialog.getByRole('row', { name: /of the member/ });
  await row.getByRole('button', { name: 'Revoke', exact: true }).click();
  await row.getByRole('button', { name: 'Revoke of the member' }).click();
  await row.waitFor({ state: 'detached' });
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${installation.origin}/api/v1/findings`, { headers })).status, 401);
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await dialog.getByRole('region', { name: 'Sessions' }).getByText('None.').waitFor();
  // The page may detect this itself and already be going to the sign-in.
  await invited.page.evaluate(() => location.assign('/findings')).catch(() => {});
  await invited.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
});

test('the browsers had no error, no violation of the policy and no request elsewhere', () => {
  assert.deepEqual([...new Set([...owner.problems, ...invited.problems])], []);
});
