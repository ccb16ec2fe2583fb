/**
 * The actions of the audit log, `noun.verb` in the past tense, with their meaning. The API's filter accepts these and
 * its description lists them. Add an action here before you record it. The meaning of a published action never changes.
 */
export const auditActions = {
  'organization.created': 'An organization was created.',
  'organization.updated': 'The organization was renamed.',
  'organization.limits_changed': 'The operator changed the plan or the rate limit.',
  'member.added': 'The operator added a person to the organization.',
  'member.joined': 'A person became a member by their first single sign-on.',
  'member.role_changed': 'A member got another role.',
  'member.removed': 'A member was removed.',
  'invitation.created': 'A person was invited.',
  'invitation.resent': 'An invitation got a new link.',
  'invitation.revoked': 'An invitation was revoked.',
  'invitation.accepted': 'An invited person became a member.',
  'token.created': 'An API token was created.',
  'token.revoked': 'An API token was revoked.',
  'account.password_reset': 'A person got a new password from the operator.',
  'account.signed_in': 'A person signed in.',
  'account.signed_out': 'A person signed out.',
  'account.session_ended': 'A person ended one of their sessions.',
  'account.password_recovered': 'A person set a new password by a link in a mail.',
  'account.email_changed': 'A person confirmed a new e-mail address.',
  'account.password_changed': 'A person changed their password.',
  'account.two_factor_enabled': 'A person turned the second factor on.',
  'account.two_factor_removed': 'A person removed the second factor.',
  'account.recovery_codes_renewed': 'A person created new recovery codes.',
  'account.passkey_added': 'A person added a passkey.',
  'account.passkey_removed': 'A person removed a passkey.',
  'account.renamed': 'A person changed their name.',
  'data_source.created': 'A data source was added.',
  'data_source.updated': 'A data source was changed.',
  'data_source.deleted': 'A data source was deleted.',
  'scan.cancelled': 'A scan was cancelled.',
  'scan_schedule.created': 'A scan schedule was created.',
  'scan_schedule.updated': 'A scan schedule was changed.',
  'scan_schedule.deleted': 'A scan schedule was deleted.',
  'report.created': 'A report was generated.',
  'report.deleted': 'A report was deleted.',
  'scheduled_report.created': 'A scheduled report was created.',
  'scheduled_report.updated': 'A scheduled report was changed.',
  'scheduled_report.deleted': 'A scheduled report was deleted.',
  'findings.updated': 'Many findings were updated at once.',
  'findings.update_undone': 'An update of many findings was undone.',
  'view.shared': 'A view of the list of findings was shared with the organization.',
  'view.updated': 'A shared view was changed.',
  'view.unshared': 'A shared view became private.',
  'view.deleted': 'A shared view was deleted.',
} as const;

export type AuditAction = keyof typeof auditActions;

export const auditActionNames = Object.keys(auditActions) as AuditAction[];
