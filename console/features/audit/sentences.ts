import type { AuditAction, AuditEvent, DecisionScope } from '@assay/client';
import { scopeWords } from '../decisions/words.ts';

type Values = Record<string, unknown>;

/** The sentence after the name of the actor; `…` stands for the name of the target. */
const sentences: Record<AuditAction, string> = {
  'organization.created': 'created the organization …',
  'organization.updated': 'renamed the organization to …',
  'organization.limits_changed': 'changed the plan or the limits of …',
  'policy.updated': 'changed the policy of …',
  'member.added': 'added … to the organization',
  'member.joined': 'joined by single sign-on',
  'member.role_changed': 'changed the role of …',
  'member.removed': 'removed … from the organization',
  'member.sessions_ended': 'ended the sessions of …',
  'invitation.created': 'invited …',
  'invitation.resent': 'sent … a new invitation link',
  'invitation.revoked': 'revoked the invitation of …',
  'invitation.accepted': 'accepted the invitation of …',
  'token.created': 'created the API token …',
  'token.revoked': 'revoked the API token …',
  'account.password_reset': 'gave … a new password',
  'account.signed_in': 'signed in',
  'account.sign_in_failed': 'failed to sign in as …',
  'account.signed_out': 'signed out',
  'account.session_ended': 'ended one of their sessions',
  'account.password_recovered': 'set a new password with an emailed link',
  'account.claimed': 'verified that the address of … is theirs',
  'account.joined': 'joined the account of … into their own',
  'account.email_changed': 'confirmed a new email address',
  'account.password_changed': 'changed their password',
  'account.two_factor_enabled': 'turned the second factor on',
  'account.two_factor_removed': 'removed their second factor',
  'account.two_factor_replaced': 'replaced their second factor',
  'account.recovery_code_used': 'used a recovery code',
  'account.recovery_codes_renewed': 'created new recovery codes',
  'account.disabled': 'disabled the account of …',
  'account.enabled': 'enabled the account of …',
  'account.sessions_ended': 'ended all sessions of …',
  'account.two_factor_reset': 'removed the second factor of …',
  'account.passkey_added': 'added a passkey',
  'account.passkey_removed': 'removed a passkey',
  'account.renamed': 'changed their name to …',
  'data_source.created': 'added the data source …',
  'data_source.updated': 'changed the data source …',
  'data_source.deleted': 'deleted the data source …',
  'scan.cancelled': 'cancelled a scan',
  'scan_schedule.created': 'created the schedule …',
  'scan_schedule.updated': 'changed the schedule …',
  'scan_schedule.deleted': 'deleted the schedule …',
  'report.created': 'made the report …',
  'report.exported': 'exported the report …',
  'report.deleted': 'deleted the report …',
  'report.state_changed': 'changed the state of the report …',
  'scheduled_report.created': 'created the scheduled report …',
  'scheduled_report.updated': 'changed the scheduled report …',
  'scheduled_report.deleted': 'deleted the scheduled report …',
  'feed.requested': 'reloaded the feeds',
  'feed.uploaded': 'uploaded a feed',
  'findings.exported': 'exported the list of findings',
  'findings.updated': 'updated many findings at once',
  'findings.update_undone': 'undid an update of many findings',
  'audit_log.exported': 'exported the audit log',
  'view.shared': 'shared the view …',
  'view.updated': 'changed the shared view …',
  'view.unshared': 'made the view … private',
  'decision.created': 'made a decision about findings',
  'decision.requested': 'requested a decision about findings',
  'decision.approved': 'approved a requested decision',
  'decision.rejected': 'rejected a requested decision',
  'decision.updated': 'changed a decision',
  'decision.withdrawn': 'withdrew a decision',
  'view.deleted': 'deleted the shared view …',
};

/** Formats an unknown action of a newer server: "token.created" becomes "Token created". */
const readable = (name: string): string => {
  const text = name.replaceAll(/[._]/g, ' ');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
};

/** The actions to choose from, in words: "Changed the role of a member". */
export const actionOptions = Object.entries(sentences).map(([value, text]) => ({
  value,
  label: readable(text.replaceAll(' …', '').replaceAll('… ', '')),
}));

/** Names the actor: a person, possibly through a token, or the platform. The actor of a failed sign-in is unknown. */
export function actorOf({ actor, action }: AuditEvent): string {
  if (actor.user === null) return action === 'account.sign_in_failed' ? 'Somebody' : 'Assay';
  return actor.token ? `${actor.user.name} by the token ${actor.token.name}` : actor.user.name;
}

export type NameOf = (id: string) => string | undefined;

/** Describes the scope of a decision; null for single findings. */
function scopeOf({ action, before, after }: AuditEvent, nameOf: NameOf): string | null {
  const scope = (after?.scope ?? before?.scope) as DecisionScope | undefined;
  if (!action.startsWith('decision.') || !scope || scope.finding) return null;
  return scopeWords(scope, { dataSource: (id) => nameOf(id) ?? 'a deleted data source', rule: (id) => id });
}

/** Describes an action: the text before and after the name of the target or the scope, and that name. */
export function sentenceOf(event: AuditEvent, nameOf: NameOf = () => undefined): [string, string, string] {
  const { action, target, before, after } = event;
  const sentence = sentences[action as AuditAction];
  const scope = scopeOf(event, nameOf);
  if (sentence !== undefined && scope !== null) return [`${sentence}: `, scope, ''];
  const name = target?.name ?? '';
  if (sentence === undefined) return [`${readable(action)} `, name, ''];
  const [start = '', end] = sentence.split('…');
  if (end === undefined) return [start, '', ''];
  const roles = action === 'member.role_changed' ? ` from ${before?.role} to ${after?.role}` : '';
  return [start, name || 'an unnamed item', end + roles];
}

const fieldNames: Record<string, string> = {
  matched: 'Findings',
  updated: 'Findings',
  expires_at: 'Expires',
  sessions_from: 'Sessions begin at',
  first_at: 'First',
  last_at: 'Last',
  cron: 'Timetable',
  ids: 'Chosen',
  owner_id: 'Owner',
  data_source_ids: 'Data sources',
  url: 'Address',
};

const idPattern = /^([a-z]{2,8})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const goneNames: Record<string, string> = {
  usr: 'a former member',
  ds: 'a deleted data source',
  tok: 'a token',
  org: 'the organization',
  fnd: 'a finding',
  rpt: 'a report',
  scan: 'a scan',
};

/** Formats a value without ids: each is replaced by its name or its kind. */
function sayValue(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const said = value.map((one) => sayValue(one, nameOf));
    const unnamed = said.length > 0 && said.every((one) => one === said[0] && Object.values(goneNames).includes(one));
    if (said.length === 0) return 'none';
    return unnamed && said.length > 1 ? `${said.length} times ${said[0]}` : said.join(', ');
  }
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([name, part]) => `${labelOf(name).toLowerCase()} ${sayValue(part, nameOf)}`,
    );
    return parts.length === 0 ? 'none' : parts.join('; ');
  }
  const text = String(value);
  const kind = idPattern.exec(text)?.[1];
  if (kind !== undefined) return nameOf(text) ?? goneNames[kind] ?? 'an unnamed item';
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text))
    return new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

/** Formats the name of a field, such as "token_longest_days", for people. */
const labelOf = (name: string): string => fieldNames[name] ?? readable(name.replace(/_ids?$/, ''));

export type Line = { name: string; text: string };

/** Lists each changed field and the circumstances: "Role: viewer → analyst". Nested fields have separate lines. */
export function linesOf({ before, after, details }: AuditEvent, nameOf: NameOf): Line[] {
  const lines: Line[] = [];
  const add = (name: string, from: unknown, to: unknown) => {
    const [old, now] = [sayValue(from, nameOf), sayValue(to, nameOf)];
    const text = before === null ? now : after === null ? old : `${old} → ${now}`;
    lines.push({ name, text });
  };
  const compare = (from: Values, to: Values, label: (name: string) => string) => {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      const [old, now] = [from[name], to[name]];
      const isNested =
        [old, now].some(isPlain) && [old, now].every((one) => one === undefined || one === null || isPlain(one));
      if (isNested)
        compare(
          (old ?? {}) as Values,
          (now ?? {}) as Values,
          (part) => `${label(name)}: ${labelOf(part).toLowerCase()}`,
        );
      else if (JSON.stringify(old) !== JSON.stringify(now)) add(label(name), old, now);
    }
  };
  compare(before ?? {}, after ?? {}, labelOf);
  return [
    ...lines,
    ...Object.entries(details).map(([name, value]) => ({ name: labelOf(name), text: sayValue(value, nameOf) })),
  ];
}

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether any value contains an id of this kind. */
export const hasId = (events: readonly AuditEvent[], kind: string): boolean =>
  events.some(({ before, after, details }) => JSON.stringify([before, after, details]).includes(`"${kind}_`));
