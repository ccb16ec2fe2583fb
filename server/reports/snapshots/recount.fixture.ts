import data from '../../findings/standards/standards.json' with { type: 'json' };
import type { FindingRow, Rows } from './rows.fixture.ts';

/** The findings of a report: those that match its filters now, and those whose past matches. */
export type Selected = {
  now(finding: FindingRow): boolean;
  past(finding: FindingRow): boolean;
  dataSource(id: string): boolean;
  /** Whether the past has the severities of that time. */
  recorded: boolean;
};
/** `at` and `from` are milliseconds since the epoch. */
type Time = { at: number; from: number; since: number };

export const dayMs = 86_400_000;
const ranks = ['critical', 'high', 'medium', 'low', 'info'];
const open = ['new', 'triaged', 'in_progress'];
const closed = ['resolved', 'false_positive', 'accepted_risk'];
const nameOf = (severity: number): string => ranks[4 - severity]!;
export const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z/, 'Z');
export const isoOrNull = (at: number | null) => (at === null ? null : iso(at));
export const less = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
export const distinct = <Value>(values: Value[]): Value[] => [...new Set(values)];

/** Counts by name; all names are present. */
function tally<Row>(names: readonly string[], rows: Row[], of: (row: Row) => string): Record<string, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (const row of rows) counts[of(row)]! += 1;
  return counts;
}
export const bySeverity = (rows: Array<{ severity: number }>) => tally(ranks, rows, ({ severity }) => nameOf(severity));
const severe = <Row extends { severity: number }>(rows: Row[]) => rows.filter(({ severity }) => severity >= 3);
export const isOpen = ({ status }: FindingRow) => open.includes(status);
export const isOverdue = ({ dueAt }: FindingRow, at: number) => dueAt !== null && dueAt < at;
export const isOld = (one: FindingRow, other: FindingRow) =>
  one.firstSeenAt - other.firstSeenAt || less(one.id, other.id);
const mostSevere = (one: FindingRow, other: FindingRow) => other.severity - one.severity || isOld(one, other);

function placeOf({ facts: { location } }: FindingRow): string | null {
  const { package: found, path, start_line: line, url } = location;
  if (found) return `${found.name}${found.version ? ` ${found.version}` : ''}, ${path}`;
  return path === null ? url : `${path}:${line}`;
}

/** Recomputes a report's figures about the present, and its lists, from the rows. */
export function recount(rows: Rows, selected: Selected, { at, from, since }: Time) {
  const findings = rows.findings.filter(selected.now);
  const opened = findings.filter(isOpen);
  const accepted = findings.filter(({ status }) => status === 'accepted_risk');
  const sources = distinct(findings.map(({ source }) => source));
  const dataSourceOf = new Map(rows.dataSources.map((row) => [row.id, row]));
  const named = (id: string) => ({ id, name: dataSourceOf.get(id)!.name });
  const person = (id: string | null) => (id === null ? null : { id, name: rows.names.get(id)! });
  const perDataSource = [...Map.groupBy(findings, ({ dataSourceId }) => dataSourceId)]
    .map(([id, own]) => ({ ...named(id), open: own.filter(isOpen).length, total: own.length }))
    .sort((one, other) => other.open - one.open || other.total - one.total || less(one.id, other.id));
  const endingSoon = accepted.filter(({ acceptedUntil }) => acceptedUntil !== null && acceptedUntil <= at + 30 * dayMs);
  const age = ({ firstSeenAt }: FindingRow) => (at - firstSeenAt) / dayMs;
  const bounds = [7, 30, 90, 180, 365, null];
  const newly = findings.filter(({ firstSeenAt }) => firstSeenAt >= from);
  const rules = [...Map.groupBy(opened, ({ ruleId }) => ruleId)]
    .map(([id, own]) => ({ id, own: own.toSorted(mostSevere) }))
    .sort(
      (one, other) =>
        other.own[0]!.severity - one.own[0]!.severity || other.own.length - one.own.length || less(one.id, other.id),
    );

  const head = {
    summary: {
      total: findings.length,
      by_severity: bySeverity(findings),
      by_status: tally([...open, ...closed], findings, ({ status }) => status),
      by_source: tally(sources, findings, ({ source }) => source),
      by_data_source: perDataSource,
    },
    by_severity_and_status: Object.fromEntries(
      ranks.map((name) => [
        name,
        tally(
          [...open, ...closed],
          findings.filter(({ severity }) => nameOf(severity) === name),
          ({ status }) => status,
        ),
      ]),
    ),
    open: opened.length,
    open_by_severity: bySeverity(opened),
    open_by_source: tally(sources, opened, ({ source }) => source),
    top_data_sources: perDataSource
      .filter(({ open: some }) => some > 0)
      .slice(0, 10)
      .map(({ id, name, open: some }) => ({
        ...{ id, name, kind: dataSourceOf.get(id)!.kind, open: some },
        open_by_severity: bySeverity(opened.filter(({ dataSourceId }) => dataSourceId === id)),
      })),
    reopened: opened.filter(({ reopenedCount }) => reopenedCount > 0).length,
    unassigned_open: bySeverity(opened.filter(({ assigneeId }) => assigneeId === null)),
    accepted_risks: { total: accepted.length, ending_soon: endingSoon.length },
    age: bounds.map((up_to_days, index) => ({
      up_to_days,
      by_severity: bySeverity(
        opened.filter((finding) => {
          const min = index === 0 ? Number.NEGATIVE_INFINITY : bounds[index - 1]!;
          return age(finding) >= min && (up_to_days === null || age(finding) < up_to_days);
        }),
      ),
    })),
    oldest_open: opened
      .toSorted(isOld)
      .slice(0, 5)
      .map((finding) => ({
        id: finding.id,
        title: finding.title,
        severity: nameOf(finding.severity),
        data_source: named(finding.dataSourceId).name,
        first_seen_at: iso(finding.firstSeenAt),
        age_days: Math.floor(age(finding)),
      })),
    first_steps: rules.slice(0, 5).map(({ id, own }) => ({
      rule: { id, name: own[0]!.rule.name },
      severity: nameOf(own[0]!.severity),
      open: own.length,
      data_sources: distinct(own.map(({ dataSourceId }) => dataSourceId)).length,
      remediation: own[0]!.remediation,
      finding_id: own[0]!.id,
    })),
  };

  // The findings resolved in the period, and the other moves that the report lists.
  const byId = new Map(rows.findings.map((row) => [row.id, row]));
  const moved = rows.history.flatMap((row) => {
    const finding = byId.get(row.findingId)!;
    if (row.move === null) return [];
    const then = selected.recorded ? { ...finding, severity: row.severity! } : finding;
    return selected.past(then) ? [{ ...row, finding, severity: then.severity }] : [];
  });
  const resolved = moved.filter((row) => row.move === 'resolved' && row.at >= from);
  const due = (own: FindingRow[], fixed: typeof resolved) => ({
    open_in_time: own.filter((row) => row.dueAt !== null && !isOverdue(row, at)).length,
    overdue: own.filter((row) => isOverdue(row, at)).length,
    kept: fixed.filter((row) => row.dueAt !== null && Math.floor(row.at) <= row.dueAt).length,
    missed: fixed.filter((row) => row.dueAt !== null && Math.floor(row.at) > row.dueAt).length,
    without_due_date: own.filter((row) => row.dueAt === null).length,
    resolved_without_due_date: fixed.filter((row) => row.dueAt === null).length,
  });
  const ownerOf = (id: string) => dataSourceOf.get(id)!.ownerId;
  const owners = distinct(
    [...opened, ...resolved.map(({ finding }) => finding)].map((row) => ownerOf(row.dataSourceId)),
  )
    .map((id) => {
      const own = opened.filter((row) => ownerOf(row.dataSourceId) === id);
      const fixed = resolved.filter(({ finding }) => ownerOf(finding.dataSourceId) === id);
      const all = [...own, ...fixed.map(({ finding }) => finding)];
      const figures = {
        owner: person(id),
        data_sources: distinct(all.map(({ dataSourceId }) => dataSourceId)).length,
        open: own.length,
        open_by_severity: bySeverity(own),
        overdue: own.filter((row) => isOverdue(row, at)).length,
        unassigned: own.filter(({ assigneeId }) => assigneeId === null).length,
      };
      return { figures, due: { owner: person(id), ...due(own, fixed) }, severe: severe(own).length };
    })
    .sort(
      (one, other) =>
        other.severe - one.severe ||
        other.figures.open - one.figures.open ||
        less(one.figures.owner?.name ?? '', other.figures.owner?.name ?? ''),
    );

  const lists = {
    new: rows.findings
      .filter((finding) => selected.past(finding) && finding.firstSeenAt >= since)
      .map((finding) => ({ finding, severity: finding.severity, at: finding.firstSeenAt })),
    fixed: lastMoves('resolved'),
    reopened: lastMoves('reopened'),
    accepted: lastMoves('accepted'),
  };
  function lastMoves(move: string) {
    const own = moved.filter((row) => row.move === move && row.at >= since);
    return [...Map.groupBy(own, ({ finding }) => finding).values()].map(
      (moves) => moves.toSorted((one, other) => other.at - one.at)[0]!,
    );
  }
  const listed = (list: (typeof lists)['new']) =>
    list
      .toSorted(
        (one, other) => other.severity - one.severity || other.at - one.at || less(one.finding.id, other.finding.id),
      )
      .slice(0, 20)
      .map(({ finding, severity, at: time }) => ({
        id: finding.id,
        title: finding.title,
        place: placeOf(finding),
        severity: nameOf(severity),
        status: finding.status,
        data_source: named(finding.dataSourceId),
        at: iso(time),
      }));

  const historyOf = Map.groupBy(rows.history, ({ findingId }) => findingId);
  const commentsOf = Map.groupBy(rows.comments, ({ findingId }) => findingId);
  const entries = findings
    .filter(({ status }) => status === 'accepted_risk' || status === 'false_positive')
    .toSorted(mostSevere)
    .map((finding) => {
      const [decision] = (historyOf.get(finding.id) ?? [])
        .filter((row) => row.status === finding.status && row.scanId === null)
        .sort((one, other) => other.at - one.at);
      const [said] = (commentsOf.get(finding.id) ?? []).filter(
        (row) => row.at === decision!.at && row.authorId === decision!.userId,
      );
      return {
        id: finding.id,
        title: finding.title,
        place: placeOf(finding),
        severity: nameOf(finding.severity),
        status: finding.status,
        data_source: named(finding.dataSourceId),
        decided_by: person(decision!.userId),
        decided_at: iso(decision!.at),
        reason: said?.comment ?? null,
        accepted_until: isoOrNull(finding.acceptedUntil),
      };
    });
  const registered = (status: string) => {
    const own = entries.filter((entry) => entry.status === status);
    return {
      total: own.length,
      by_severity: tally(ranks, own, ({ severity }) => severity),
      without_reason: own.filter(({ reason }) => reason === null).length,
    };
  };
  const register = {
    entries,
    accepted_risk: {
      ...registered('accepted_risk'),
      without_end: accepted.filter(({ acceptedUntil }) => acceptedUntil === null).length,
    },
    false_positive: registered('false_positive'),
  };

  const scored = opened.flatMap(({ severity, cvss: score }) =>
    score === null ? [] : [{ severity, cvss: [0.1, 4, 7, 9].filter((bound) => score >= bound).length }],
  );
  const pairs = [...Map.groupBy(scored, ({ severity, cvss }) => `${severity}${cvss}`).values()]
    .filter(([pair]) => pair!.severity !== pair!.cvss)
    .map((own) => ({ tool: nameOf(own[0]!.severity), cvss: nameOf(own[0]!.cvss), findings: own.length }))
    .sort((one, other) => other.findings - one.findings || less(one.tool + one.cvss, other.tool + other.cvss));
  const severity_comparison = {
    compared: scored.length,
    agree: scored.filter(({ severity, cvss }) => severity === cvss).length,
    tool_higher: scored.filter(({ severity, cvss }) => severity > cvss).length,
    tool_lower: scored.filter(({ severity, cvss }) => severity < cvss).length,
    pairs,
  };

  return {
    head,
    opened_still_open: newly.filter(isOpen).length,
    values: {
      open: opened.length,
      open_critical_high: severe(opened).length,
      overdue: opened.filter((row) => isOverdue(row, at)).length,
      unassigned_critical_high: severe(opened).filter(({ assigneeId }) => assigneeId === null).length,
      accepted_ending_soon: endingSoon.length,
    },
    owners: { owners: owners.map(({ figures }) => figures), total: owners.length },
    due_by_severity: Object.fromEntries(
      ranks.map((name) => {
        const of = ({ severity }: { severity: number }) => nameOf(severity) === name;
        return [name, due(opened.filter(of), resolved.filter(of))];
      }),
    ),
    due_by_owner: owners.map(({ due: figures }) => figures),
    changes: Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, listed(list)])),
    register,
    severity_comparison,
    mapping: mapped(opened, rows, at),
  };
}

type Match = {
  weaknesses?: number[];
  in?: string;
  sources?: string;
  kinds?: string[];
  exposure?: string;
  severities?: string[];
  overdue?: boolean;
};

/** Counts weaknesses and the rows of the standards, using only standards.json. */
function mapped(opened: FindingRow[], { dataSources }: Rows, at: number) {
  const named = (finding: FindingRow) =>
    finding.facts.identifiers.flatMap((id) => (id.startsWith('CWE-') ? [Number(id.slice(4))] : []));
  const isPackage = ({ facts }: FindingRow) => facts.location.package !== null;
  const ofSecrets = (finding: FindingRow) => finding.source === 'secrets';
  const weaknesses = (finding: FindingRow): number[] => {
    const own = named(finding);
    if (own.length > 0) return own;
    return isPackage(finding) ? [1395] : ofSecrets(finding) ? [798] : [];
  };
  const counts = (id: string, own: FindingRow[]) => ({ id, open: own.length, open_by_severity: bySeverity(own) });
  const counted = (finding: FindingRow, match: Match): boolean => {
    const { kind, exposure } = dataSources.find(({ id }) => id === finding.dataSourceId)!;
    const numbers = named(finding).length > 0 || !ofSecrets(finding) ? named(finding) : [798];
    const sources = match.sources && (data.sources as Record<string, string[]>)[match.sources]!;
    return [
      match.in === 'any' || isPackage(finding) === (match.in === 'package'),
      !match.weaknesses || match.weaknesses.some((number) => numbers.includes(number)),
      !sources || sources.includes(finding.source),
      !match.kinds || match.kinds.includes(kind),
      !match.exposure || match.exposure === exposure,
      !match.severities || match.severities.includes(nameOf(finding.severity)),
      !match.overdue || isOverdue(finding, at),
    ].every(Boolean);
  };
  const alike = [
    ...Map.groupBy(opened, (finding) =>
      [
        named(finding),
        isPackage(finding),
        finding.source,
        finding.severity,
        finding.dataSourceId,
        isOverdue(finding, at),
      ].join(),
    ).values(),
  ];
  const countedBy = (matches: object[]) =>
    alike.filter(([finding]) => (matches as Match[]).some((match) => counted(finding!, match))).flat();
  return {
    weaknesses: distinct(opened.flatMap(weaknesses))
      .map((number) =>
        counts(
          `CWE-${number}`,
          opened.filter((finding) => weaknesses(finding).includes(number)),
        ),
      )
      .sort((one, other) => other.open - one.open || less(one.id, other.id))
      .slice(0, 25),
    without_cwe: opened.filter((finding) => weaknesses(finding).length === 0).length,
    standards: data.standards.map(({ id, rows }) => ({
      id,
      categories: rows.map((row) => counts(row.id, countedBy(row.matches))),
      unmapped: opened.length - countedBy(rows.flatMap(({ matches }) => matches as object[])).length,
    })),
  };
}
