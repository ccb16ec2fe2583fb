import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { isOpen, type Status, statuses } from '../findings/lifecycle.ts';
import { sampleAnalysis } from './analysis/analysis.fixture.ts';
import type { RollForward } from './analysis-model.ts';
import { defaultDocument, draft } from './report-document.ts';
import { ada, dayMs, takenAt, time } from './report-finding.fixture.ts';
import type { ReportFinding, ReportHead, ReportModel } from './report-model.ts';

const tally = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

const ageBounds = [7, 30, 90, 180, 365, null];
const mondayOf = (at: number) => {
  const midnight = Math.floor(at / dayMs) * dayMs;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
};

/** Returns filters in readable form, the same in each language. */
export const inBoth = (selection: Array<{ label: string; values: string[] }>) => ({ en: selection, de: selection });

export const bySeverityStatusAndAge = (a: ReportFinding, b: ReportFinding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
  (a.first_seen_at < b.first_seen_at ? -1 : a.first_seen_at > b.first_seen_at ? 1 : a.id < b.id ? -1 : 1);

/**
 * Returns the head of these findings, counted in a simple way, so that tests can compare it with PostgreSQL's counts.
 */
export function reportHead(findings: ReportFinding[], changes: Partial<ReportHead> = {}): ReportHead {
  const at = changes.taken_at ? Date.parse(changes.taken_at) : takenAt;
  const period = changes.period ?? { from: time(at - 30 * dayMs), to: time(at) };
  const { status, from, to } = changes.filters ?? {};
  const hidden = status !== undefined || from !== undefined || to !== undefined;
  const inPeriod = (moment: string | null) => moment !== null && moment >= period.from && moment <= period.to;
  const open = findings.filter((finding) => isOpen(finding.status));
  const count = <Name extends string>(names: readonly Name[], values: Name[]) => {
    const figures = tally(names);
    for (const value of values) figures[value] = (figures[value] ?? 0) + 1;
    return figures;
  };
  const severityOf = (list: ReportFinding[]) =>
    count<Severity>(
      severities,
      list.map((finding) => finding.severity),
    );
  const sources = [...new Set(findings.map((finding) => finding.source))].sort();
  const byDataSource = [...new Map(findings.map((finding) => [finding.data_source.id, finding.data_source])).values()]
    .map((source) => {
      const own = findings.filter((finding) => finding.data_source.id === source.id);
      const openOnes = own.filter((finding) => isOpen(finding.status));
      return { ...source, open: openOnes.length, total: own.length, open_by_severity: severityOf(openOnes) };
    })
    .sort((a, b) => b.open - a.open || b.total - a.total || (a.id < b.id ? -1 : 1));
  const ageDays = (finding: ReportFinding) => Math.floor((at - Date.parse(finding.first_seen_at)) / dayMs);
  const thisMonday = mondayOf(at);
  const oldest = [...open].sort((a, b) =>
    a.first_seen_at < b.first_seen_at ? -1 : a.first_seen_at > b.first_seen_at ? 1 : a.id < b.id ? -1 : 1,
  );
  const openRules = [...new Set(open.map((finding) => finding.rule.id))].map((id) => {
    const own = oldest
      .filter((finding) => finding.rule.id === id)
      .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
    return {
      rule: { id, name: own[0]!.rule.name },
      severity: own[0]!.severity,
      open: own.length,
      data_sources: new Set(own.map((finding) => finding.data_source.id)).size,
      remediation: own[0]!.remediation,
      finding_id: own[0]!.id,
    };
  });
  openRules.sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      b.open - a.open ||
      (a.rule.id < b.rule.id ? -1 : 1),
  );
  const closedInPeriod = findings.filter((finding) => inPeriod(finding.closed_at));
  return {
    id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7',
    title: 'Findings of the third quarter',
    organization: { id: 'org_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'Example Industries' },
    created_by: { id: ada.id, name: ada.name },
    scheduled_report_id: null,
    template: 'technical',
    document: defaultDocument,
    snapshot_sha256: '5f'.repeat(32),
    taken_at: time(at),
    period,
    filters: {},
    selection: inBoth([]),
    summary: {
      total: findings.length,
      by_severity: severityOf(findings),
      by_status: count<Status>(
        statuses,
        findings.map((finding) => finding.status),
      ),
      by_source: count(
        sources,
        findings.map((finding) => finding.source),
      ),
      by_data_source: byDataSource.map(({ id, name, open: openOnes, total }) => ({ id, name, open: openOnes, total })),
    },
    by_severity_and_status: Object.fromEntries(
      severities.map((severity) => [
        severity,
        count<Status>(
          statuses,
          findings.filter((finding) => finding.severity === severity).map((finding) => finding.status),
        ),
      ]),
    ) as ReportHead['by_severity_and_status'],
    open: open.length,
    open_by_severity: severityOf(open),
    open_by_source: count(
      sources,
      open.map((finding) => finding.source),
    ),
    source_names: Object.fromEntries(sources.map((source) => [source, source[0]!.toUpperCase() + source.slice(1)])),
    top_data_sources: byDataSource
      .filter((source) => source.open > 0)
      .slice(0, 10)
      .map(({ total: _, ...source }) => source),
    in_period: {
      opened: findings.filter((finding) => inPeriod(finding.first_seen_at)).length,
      opened_still_open: open.filter((finding) => inPeriod(finding.first_seen_at)).length,
      closed: closedInPeriod.length,
      resolved: closedInPeriod.filter((finding) => finding.status === 'resolved').length,
    },
    reopened: open.filter((finding) => finding.reopened_count > 0).length,
    unassigned_open: severityOf(open.filter((finding) => finding.assignee === null)),
    accepted_risks: {
      total: findings.filter((finding) => finding.status === 'accepted_risk').length,
      ending_soon: findings.filter(
        (finding) => finding.accepted_until !== null && Date.parse(finding.accepted_until) <= at + 30 * dayMs,
      ).length,
    },
    weekly: Array.from({ length: 26 }, (_, index) => {
      const start = thisMonday - (25 - index) * 7 * dayMs;
      const within = (moment: string | null) =>
        moment !== null && Date.parse(moment) >= start && Date.parse(moment) < start + 7 * dayMs;
      const before = (moment: string | null) => moment !== null && Date.parse(moment) < start + 7 * dayMs;
      return {
        week: time(start).slice(0, 10),
        opened: findings.filter((finding) => within(finding.first_seen_at)).length,
        closed: findings.filter((finding) => within(finding.closed_at)).length,
        open: findings.filter((finding) => before(finding.first_seen_at) && !before(finding.closed_at)).length,
      };
    }),
    age: ageBounds.map((bound, index) => ({
      up_to_days: bound,
      by_severity: severityOf(
        open.filter(
          (finding) =>
            (bound === null || ageDays(finding) < bound) && (index === 0 || ageDays(finding) >= ageBounds[index - 1]!),
        ),
      ),
    })),
    oldest_open: oldest.slice(0, 5).map((finding) => ({
      id: finding.id,
      title: finding.title,
      severity: finding.severity,
      data_source: finding.data_source.name,
      first_seen_at: finding.first_seen_at,
      age_days: ageDays(finding),
    })),
    first_steps: openRules.slice(0, 5),
    finding_numbers: Object.fromEntries(findings.map(({ id, number }) => [id, number])),
    approval: draft,
    analysis: { ...sampleAnalysis, roll_forward: hidden ? null : rollForwardOf(findings, period.from) },
    ...changes,
  };
}

/** Returns the change of open findings since a time, for findings that have opened and closed once. */
function rollForwardOf(findings: ReportFinding[], since: string): RollForward {
  const closings = [...closedBy('resolved'), ...closedBy('accepted_risk'), ...closedBy('false_positive')];
  function closedBy(status: Status) {
    return findings.filter((finding) => finding.status === status && finding.closed_at! >= since);
  }
  const of = (chosen: (finding: ReportFinding) => boolean) => {
    const count = (list: ReportFinding[]) => list.filter(chosen).length;
    const [open_now, found] = [
      count(findings.filter(({ status }) => isOpen(status))),
      count(findings.filter(({ first_seen_at }) => first_seen_at >= since)),
    ];
    return {
      open_then: open_now - found + count(closings),
      new: found,
      reopened: 0,
      resolved: count(closedBy('resolved')),
      removed: 0,
      accepted: count(closedBy('accepted_risk')),
      false_positive: count(closedBy('false_positive')),
      reclassified: 0,
      open_now,
    };
  };
  return {
    since,
    basis: 'at_the_time',
    by_severity: Object.fromEntries(
      severities.map((severity) => [severity, of((finding) => finding.severity === severity)]),
    ) as RollForward['by_severity'],
    total: of(() => true),
  };
}

async function* inBatches(findings: ReportFinding[], max: number): AsyncGenerator<ReportFinding[]> {
  const size = 250;
  for (let start = 0; start < Math.min(findings.length, max); start += size)
    yield findings.slice(start, Math.min(start + size, max));
}

/** Returns a report on these findings; `max` limits them, as for a writer that needs no more. */
export function reportOf(
  findings: ReportFinding[],
  changes: Partial<ReportHead> = {},
  max = Number.POSITIVE_INFINITY,
): ReportModel {
  const ordered = [...findings].sort(bySeverityStatusAndAge);
  return { head: reportHead(ordered, changes), findings: inBatches(ordered, max) };
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}
