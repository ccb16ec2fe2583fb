/** A statement by its name or its first words, and its permitted fault. */
type Exception = {
  statement: RegExp;
  fault: RegExp;
  reason: string;
  /** Whether it depends on the version and on the rows that ANALYZE sampled, so that it need not occur. */
  isOccasional?: boolean;
};

/** Statements that read a whole table or organization. */
export const exceptions: Exception[] = [
  {
    statement: /./,
    fault: /^reads all rows (of the organization in|of) finding_(counts|coverage)$/,
    reason: 'These have a row for each data source and source, not for each finding, and are read as a whole.',
  },
  {
    statement: /^WITH (counted|grouped) AS/,
    fault: /in findings|of findings/,
    reason: 'Facets, groups, and the summary of small organizations count all findings that the filters select.',
    isOccasional: true,
  },
  {
    statement:
      /^SELECT f\.(severity, f\.status, f\.source, f\.data_source_id|severity, width_bucket|data_source_id AS "dataSourceId", f\.severity|status, f\.severity)/,
    fault: /in findings|of findings|in decisions|of decisions/,
    reason: 'A report counts all findings that it is about, with their decisions.',
  },
  {
    statement: /^(decision_find|finding_find|SELECT format\()/,
    fault: /^only filters decisions by id$/,
    reason: 'In an organization with a few decisions, any index finds them.',
    isOccasional: true,
  },
  {
    statement: /^SELECT (severity, "isCurrent", count|data_source_id AS "dataSourceId", rule_id AS "ruleId", count)/,
    fault: /findings|finding_history/,
    reason: 'The progress counts what happened in a period, and here all of the history is in it.',
    isOccasional: true,
  },
  {
    statement: /^column_proof_read$/,
    fault: /in findings|of findings/,
    reason: 'Stored columns are compared with all findings, once when a node starts.',
    isOccasional: true,
  },
  {
    statement: /^WITH (chosen|rules|open|alike) AS/,
    fault: /in findings|of findings|in decisions|of decisions/,
    reason: 'A section of a report is computed from all findings that the report is about.',
  },
  {
    statement:
      /^SELECT f\.severity, COALESCE\(f\.scanner_severity, f\.severity\) AS "scannerSeverity", f\.status, count\(\*\)/,
    fault: /in findings|of findings/,
    reason: 'A bulk update counts all findings that its filters select.',
    isOccasional: true,
  },
  {
    statement: /^findings_count_changed$/,
    fault: /^reads all rows of (the organization in )?findings$/,
    reason: 'Its limit of 10,000 is a tenth of this table, all of it changed; in a larger one the index is cheaper.',
    isOccasional: true,
  },
  {
    statement: /^SELECT count\(\*\) FILTER \(WHERE n\.due_at < f\.due_at\)/,
    fault: /^reads all rows of (the organization in )?findings$/,
    reason: 'The preview of a policy compares the due dates of all open findings.',
    isOccasional: true,
  },
  {
    statement: /^rule_judgements_list$/,
    fault: /^reads all rows of rule_judgements$/,
    reason: 'It has a row for each rule that people judged, and here there are few.',
    isOccasional: true,
  },
  {
    statement: /^advisory_(packages|aliases)_put$/,
    fault: /^reads all rows of/,
    reason: 'A batch of a thousand ids is a large part of this table; in a larger one they are looked up.',
    isOccasional: true,
  },
  {
    statement: /^scan_find_active$/,
    fault: /^only filters scan_targets by data_source_id$/,
    reason: 'It reads the targets of one scan, and compares them with all data sources that another would have.',
    isOccasional: true,
  },
  {
    statement: /^advisories_exist/,
    fault: /^reads all rows of advisories$/,
    reason: 'It stops at the first row.',
  },
  {
    statement: /^SELECT (id, modified FROM advisories|cve, score, percentile FROM epss_scores)/,
    fault: /^reads all rows of/,
    reason: 'The daily download compares all that is stored with all that it has loaded.',
  },
];

/** Named statements that this work does not send, by reason. */
const notSent: Record<string, string[]> = {
  'It records or follows a failure, of which this work has none.': [
    'bulk_operation_fail bulk_operation_record_failure report_count_failure report_export_count_failure report_export_fail',
    'report_delivery_fail report_fail findings_list_undecided scan_targets_hurry',
    'organization_changes_lock organization_changes_remove finding_comment_exists',
  ],
  'It is sent each second of a scan, and on a fast machine these end sooner.': ['scan_target_beat'],
  'The worker may end before a delivery has.': ['report_delivery_complete'],
  'It belongs to a way of signing in, or to failing to.': [
    'failed_sign_in_recorded failed_sign_in_step failed_sign_in_user failed_sign_ins_insert guess_wait',
    'member_update_sessions_from passkey_record_use session_delete session_find_user',
  ],
  'It reads nothing that grows, or runs in a command or for metrics.': [
    'audit_chained_events_list audit_head_unsent audit_heads_list backups_delete_old backups_is_done backups_time',
    'advisory_sync_request credential_replace credentials_list_other_keys doctor_position doctor_role doctor_slots doctor_time feed_list_ages findings_count_all',
    'findings_count_all_overdue findings_find_lateness findings_read_change_horizon lock_waits member_find_id',
    'primary_position replica_position worker_tools_read',
    'clock_repair_bounds finding_flows_move finding_seals_move_back findings_lock_ahead findings_move_last_seen',
    'findings_move_times organizations_list repaired_times_delete_spent repaired_times_exist repaired_times_insert',
  ],
  'It reads small organizations, and those of this work are read from columns.': [
    'findings_list_known_rules findings_list_known_tags',
  ],
  'It needs data of a kind that this work does not have.': [
    'decision_request_approve decision_request_expire decision_request_refuse decision_request_update',
    'decision_requests_announce decision_requests_count decision_requests_list_open member_hold_role members_list_of_roles',
    'decisions_expire_own decisions_revive_own',
    'decision_end_of_repository decision_entry_is_of_person decision_insert_of_repository decision_limit_of_repository',
    'decisions_count_of_repositories decisions_list_commented_findings data_source_decisions_overtaken decisions_list_of_tools',
    'rule_judgements_list_dismissed rules_count_findings',
    'advisories_delete data_source_lock_upload decisions_end_by_conditions decisions_list_contested decisions_release_findings epss_scores_delete findings_list_at',
    'findings_list_open_of_place import_fingerprints_list known_exploited_delete report_export_pieces_delete',
    'report_export_render_time scan_target_has_scanned scan_target_keep_versions staged_facts_read',
  ],
};

/** The reason for each such statement, by name. */
export const notRun = new Map(
  Object.entries(notSent).flatMap(([reason, names]) =>
    names.flatMap((line) => line.split(' ').map((name) => [name, reason] as const)),
  ),
);
