import type { Severity } from '@assay/scanner/contract/severity.ts';
import { isOpen, type Status } from '../../findings/lifecycle.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { ReportFinding, ReportHead } from '../report-model.ts';

/**
 * Returns the advisory of a finding about a known vulnerability: its CVE, otherwise another advisory's id or its
 * rule's; null for other findings.
 */
function advisoryOf({ identifiers, location, rule }: ReportFinding): string | null {
  const known = identifiers.find((identifier) => identifier.startsWith('CVE-'));
  const other = identifiers.find((identifier) => !identifier.startsWith('CWE-'));
  return known ?? (location.package === null ? (other ?? null) : (other ?? rule.id));
}

/**
 * Returns at most one. OCSF requires exactly one of CVE, advisory and weakness, so a finding without them has no entry.
 */
function toVulnerabilities(finding: ReportFinding): object[] {
  const advisory = advisoryOf(finding);
  const weaknesses = finding.identifiers.filter((identifier) => identifier.startsWith('CWE-')).map((uid) => ({ uid }));
  if (advisory === null && weaknesses.length === 0) return [];
  const { title, remediation, references, identifiers } = finding;
  const related = identifiers.filter((identifier) => identifier !== advisory && !identifier.startsWith('CWE-'));
  const code = toAffectedCode(finding);
  return [
    {
      title,
      severity: finding.severity,
      references,
      ...(advisory === null ? { cwe: weaknesses[0] } : toAdvisory(advisory, weaknesses, finding)),
      ...(related.length > 0 ? { related_vulnerabilities: related } : {}),
      ...(code.length > 0 ? { affected_code: code } : {}),
      ...toPackages(finding),
      // A Detection Finding has its own remediation.
      ...(remediation === null || advisory === null ? {} : { remediation: { desc: remediation, references } }),
      vendor_name: 'Assay',
    },
  ];
}

function toAdvisory(uid: string, weaknesses: object[], { cvss_score, references }: ReportFinding) {
  const cwes = weaknesses.length > 0 ? { related_cwes: weaknesses } : {};
  if (!uid.startsWith('CVE-')) return { advisory: { uid, references, ...cwes } };
  // OCSF requires the CVSS version with a score, which a finding does not store.
  const cvss = cvss_score === null ? {} : { cvss: [{ base_score: cvss_score, version: 'unknown' }] };
  return { cve: { uid, references, ...cvss, ...cwes } };
}

const toFile = (path: string) => ({
  name: path.slice(path.lastIndexOf('/') + 1) || path,
  path,
  type_id: 1,
  type: 'Regular File',
});

function toAffectedCode({ location, places }: ReportFinding): object[] {
  const all = places.length > 0 ? places : [location];
  return all.flatMap(({ path, start_line, end_line }) =>
    path === null
      ? []
      : [{ file: toFile(path), ...(start_line ? { start_line } : {}), ...(end_line ? { end_line } : {}) }],
  );
}

function toPackages({ location }: ReportFinding) {
  const affected = location.package;
  if (affected === null) return {};
  const { ecosystem, name, version, fixed_version, purl } = affected;
  return {
    affected_packages: [
      {
        name,
        version: version ?? 'unknown',
        package_manager: ecosystem,
        ...(fixed_version === null ? {} : { fixed_in_version: fixed_version }),
        ...(purl === null ? {} : { purl }),
        ...(location.path === null ? {} : { path: location.path }),
      },
    ],
    is_fix_available: fixed_version !== null,
  };
}

type Enumerated = [id: number, caption: string];

const severities: Record<Severity, Enumerated> = {
  info: [1, 'Informational'],
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
};

const statuses: Record<Status, Enumerated> = {
  new: [1, 'New'],
  triaged: [2, 'In Progress'],
  in_progress: [2, 'In Progress'],
  false_positive: [3, 'Suppressed'],
  accepted_risk: [3, 'Suppressed'],
  resolved: [4, 'Resolved'],
};

/** Returns a finding as an event of OCSF 1.9. */
export function toEvent(finding: ReportFinding, head: ReportHead) {
  const vulnerabilities = toVulnerabilities(finding);
  const [classId, className]: Enumerated =
    advisoryOf(finding) === null ? [2004, 'Detection Finding'] : [2002, 'Vulnerability Finding'];
  const [activityId, activity] = activityOf(finding);
  const [severityId, severity] = severities[finding.severity];
  const [statusId, status] = statuses[finding.status];
  return {
    activity_id: activityId,
    activity_name: activity,
    category_name: 'Findings',
    category_uid: 2,
    class_name: className,
    class_uid: classId,
    type_name: `${className}: ${activity}`,
    type_uid: classId * 100 + activityId,
    severity_id: severityId,
    severity,
    status_id: statusId,
    status,
    status_detail: finding.resolution ?? finding.status,
    message: finding.title,
    count: finding.occurrences,
    ...moment('time', finding.first_seen_at),
    metadata: toMetadata(finding, head),
    finding_info: toFindingInfo(finding),
    resources: [{ uid: finding.data_source.id, name: finding.data_source.name, type: finding.data_source.kind }],
    ...(vulnerabilities.length > 0 ? { vulnerabilities } : {}),
    ...(classId === 2004 ? ofDetection(finding) : {}),
    ...ofIncident(finding),
    ...toNotes(finding),
    unmapped: toUnmapped(finding),
  };
}

function activityOf({ status, reopened_count }: ReportFinding): Enumerated {
  if (!isOpen(status)) return [3, 'Close'];
  return status === 'new' && reopened_count === 0 ? [1, 'Create'] : [2, 'Update'];
}

/** Returns a time in milliseconds and in the form of the profile `datetime`. */
const moment = (name: string, time: string) => ({ [name]: Date.parse(time), [`${name}_dt`]: time });

const toMetadata = (finding: ReportFinding, head: ReportHead) => ({
  version: '1.9.0',
  product: { name: 'Assay', vendor_name: 'Assay', version: manifest.version, feature: { name: finding.source } },
  profiles: ['datetime', 'incident'],
  uid: `${head.id}/${finding.id}`,
  correlation_uid: head.id,
  tenant_uid: head.organization.id,
  ...(finding.tags.length > 0 ? { labels: finding.tags } : {}),
});

const toFindingInfo = (finding: ReportFinding) => ({
  uid: finding.id,
  title: finding.title,
  desc: finding.description,
  types: [finding.rule.id],
  analytic: { type_id: 1, type: 'Rule', uid: finding.rule.id, name: finding.rule.name, category: finding.source },
  data_sources: [finding.data_source.name],
  ...moment('created_time', finding.first_seen_at),
  ...moment('first_seen_time', finding.first_seen_at),
  ...moment('last_seen_time', finding.last_seen_at),
  ...moment('modified_time', finding.updated_at),
  ...(finding.location.url === null ? {} : { src_url: finding.location.url }),
});

function ofDetection({ location, evidence, remediation, references }: ReportFinding) {
  const { path, url, start_line, end_line, commit } = location;
  const artifact = {
    ...(path === null ? {} : { file: toFile(path) }),
    ...(url === null ? {} : { url: { url_string: url } }),
    ...(evidence === null && start_line === null ? {} : { data: { text: evidence, start_line, end_line, commit } }),
  };
  return {
    ...(Object.keys(artifact).length > 0 ? { evidences: [artifact] } : {}),
    ...(remediation === null ? {} : { remediation: { desc: remediation, references } }),
  };
}

function ofIncident({ assignee, status }: ReportFinding) {
  return {
    ...(assignee === null
      ? {}
      : { assignee: { uid: assignee.id, name: assignee.name, email_addr: assignee.email, type_id: 1, type: 'User' } }),
    ...(status === 'false_positive' ? { verdict_id: 1, verdict: 'False Positive' } : {}),
  };
}

/** `comment` is the newest comment, for readers older than 1.9; `notes` contains all. */
function toNotes({ comments }: ReportFinding) {
  if (comments.length === 0) return {};
  const notes = comments.map(({ author, created_at, comment }) => ({
    comment,
    ...moment('created_time', created_at),
    ...(author === null ? {} : { owner: { name: author } }),
  }));
  return { comment: notes.at(-1)!.comment, notes };
}

function toUnmapped(finding: ReportFinding) {
  const { number, url, status, source, fingerprint, identifiers, cvss_score, references, location } = finding;
  const { accepted_until, closed_at, comment_count, reopened_count, resolution, evidence } = finding;
  return {
    number,
    url,
    status,
    resolution,
    source,
    fingerprint,
    identifiers,
    cvss_score,
    references,
    rule_url: finding.rule.url,
    location,
    evidence,
    accepted_until,
    closed_at,
    comment_count,
    reopened_count,
    context: finding.context ?? null,
  };
}
