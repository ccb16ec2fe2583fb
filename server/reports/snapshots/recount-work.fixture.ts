import {
  bySeverity,
  dayMs,
  distinct,
  isOld,
  isOpen,
  isOverdue,
  iso,
  isoOrNull,
  less,
  type Selected,
} from './recount.fixture.ts';
import type { FindingRow, Rows } from './rows.fixture.ts';

/** Orders versions of the form 1.2.3. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)];
  return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!;
}

/** The order of urgency in an action. */
const mostUrgent = (one: FindingRow, other: FindingRow) =>
  other.severity - one.severity || other.priority - one.priority || isOld(one, other);
const weights = [0, 1, 3, 30, 100];
const scoreOf = (own: FindingRow[]) =>
  own.reduce((sum, { severity, priority }) => sum + weights[severity]! * (50 + priority), 0);

/** Recomputes the actions, highest score first; `key` identifies the work. Findings of severity info require none. */
export function recountActions(rows: Rows, selected: Selected, at: number) {
  const opened = rows.findings.filter((finding) => selected.now(finding) && isOpen(finding));
  const keyOf = ({ rule, facts: { location } }: FindingRow): string => {
    const found = location.package;
    if (!found) return `rule ${rule.name}`;
    const name = `${found.ecosystem} ${found.name}`;
    return found.fixed_version === null ? `replace ${name} ${found.version ?? ''}` : `upgrade ${name}`;
  };
  const work = [...Map.groupBy(opened, keyOf)].filter(([, own]) => scoreOf(own) > 0);
  return work
    .map(([key, own]) => {
      const rules = [...Map.groupBy(own, ({ source, ruleId }) => `${source} ${ruleId}`)].sort(
        ([one, ofOne], [other, ofOther]) => scoreOf(ofOther) - scoreOf(ofOne) || less(one, other),
      );
      // If two tools find the same problem, the example comes from the one with the higher score.
      const example = (key.startsWith('rule') ? rules[0]![1] : own).toSorted(mostUrgent)[0]!;
      const found = example.facts.location.package;
      const bySource = Map.groupBy(own, ({ dataSourceId }) => dataSourceId);
      const ids = [...bySource.keys()];
      const weakness = example.facts.identifiers.find((id) => id.startsWith('CWE-'));
      const fallback = found ? 'CWE-1395' : example.source === 'secrets' ? 'CWE-798' : null;
      const dues = own.flatMap(({ dueAt }) => dueAt ?? []);
      const versions = own.flatMap(({ facts }) => facts.location.package?.version ?? []);
      const fixes = own.flatMap(({ facts }) => facts.location.package?.fixed_version ?? []).sort(compareVersions);
      const cwe = weakness ?? fallback;
      const kind = found ? 'upgrade' : cwe === 'CWE-798' ? 'rotate_secret' : 'fix';
      return {
        key,
        score: scoreOf(own),
        ids,
        figures: {
          kind,
          name: found?.name ?? example.rule.name,
          package: found && {
            ecosystem: found.ecosystem,
            name: found.name,
            version: fixes.at(-1) ?? null,
            current: distinct(versions).sort().slice(0, 5),
          },
          rule: found ? null : { id: example.ruleId, name: example.rule.name },
          cwe,
          findings: own.length,
          by_severity: bySeverity(own),
          priority: Math.max(...own.map(({ priority }) => priority)),
          data_source_count: ids.length,
          earliest_due_at: dues.length === 0 ? null : iso(Math.min(...dues)),
          overdue: own.filter((row) => isOverdue(row, at)).length,
          finding_id: example.id,
        },
      };
    })
    .sort((one, other) => other.score - one.score || less(one.figures.finding_id, other.figures.finding_id));
}

const states = ['failed', 'partial', 'stale', 'never_scanned', 'ok'];

/** Recomputes the scanned data sources, tools and times. */
export function recountCoverage(
  rows: Rows,
  selected: Selected,
  { at, names }: { at: number; names: (source: string) => string },
) {
  const covered = rows.dataSources
    .filter(({ id, deletedAt }) => deletedAt === null && selected.dataSource(id))
    .toSorted((one, other) => less(one.name.toLowerCase(), other.name.toLowerCase()) || less(one.id, other.id));
  const lastOf = (id: string) =>
    [
      ...Map.groupBy(
        rows.targets.filter(({ dataSourceId }) => dataSourceId === id),
        ({ source }) => source,
      ).values(),
    ].map((own) => own.toSorted((one, other) => less(other.scanId, one.scanId))[0]!);
  const completed = (id: string, source?: string) => {
    const own = rows.coverage.filter((row) => row.dataSourceId === id && (source ?? row.source) === row.source);
    const times = own.flatMap(({ completeAt }) => completeAt ?? []);
    return times.length === 0 ? null : iso(Math.max(...times));
  };
  const dataSources = covered.map(({ id, name, kind, ownerId, criticality, exposure }) => {
    const last = lastOf(id);
    const read = last
      .filter(({ revision }) => revision !== null)
      .sort((one, other) => other.completedAt - one.completedAt);
    const tools = last
      .map((target) => {
        const isOldScan = target.completedAt < at - rows.staleAfterDays * dayMs;
        const partial = target.closedNothing === 'incomplete' ? 'partial' : isOldScan ? 'stale' : 'ok';
        const status = target.status === 'failed' ? 'failed' : partial;
        const reasons: Record<string, string | null> = {
          failed: target.error,
          partial: 'A part of it could not be read.',
          stale: `The last complete scan was more than ${rows.staleAfterDays} days ago.`,
        };
        return {
          source: target.source,
          status,
          at: iso(target.completedAt),
          reason: reasons[status] ?? null,
          revision: target.revision,
          is_behind: target.revision !== null && target.revision !== read[0]!.revision,
          name: names(target.source),
          last_complete_scan_at: completed(id, target.source),
        };
      })
      .sort(
        (one, other) => states.indexOf(one.status) - states.indexOf(other.status) || less(one.source, other.source),
      );
    return {
      ...{ id, name, kind, criticality, exposure },
      owner: ownerId === null ? null : { id: ownerId, name: rows.names.get(ownerId)! },
      state: tools[0]?.status ?? 'never_scanned',
      last_complete_scan_at: completed(id),
      tools,
      open: rows.findings.filter((row) => selected.now(row) && isOpen(row) && row.dataSourceId === id).length,
    };
  });
  const feed = (name: string) => ({
    name,
    loaded_at: isoOrNull(rows.feeds.find((row) => row.name === name)?.at ?? null),
  });
  return {
    data_sources: states.flatMap((state) => dataSources.filter((row) => row.state === state)),
    total: dataSources.length,
    stale_after_days: rows.staleAfterDays,
    by_state: Object.fromEntries(
      states.map((state) => [state, dataSources.filter((row) => row.state === state).length]),
    ),
    feeds: [feed('kev'), feed('epss'), feed('advisories')],
  };
}

/** Recomputes the table of tools; versions in alphabetical order. */
export function recountTools(rows: Rows, selected: Selected, names: (source: string) => string) {
  const covered = new Set(
    rows.dataSources.filter(({ id, deletedAt }) => deletedAt === null && selected.dataSource(id)).map(({ id }) => id),
  );
  const findings = rows.findings.filter(selected.now);
  const coverage = rows.coverage.filter(({ dataSourceId }) => covered.has(dataSourceId));
  const targets = rows.targets.filter(({ dataSourceId }) => covered.has(dataSourceId));
  return distinct([...findings, ...coverage, ...targets].map(({ source }) => source))
    .map((source) => {
      const own = coverage.filter((row) => row.source === source);
      const versions = own.flatMap(({ scanId, dataSourceId }) => {
        const target = rows.targets.find((row) => row.scanId === scanId && row.dataSourceId === dataSourceId);
        return target?.versions[source] ?? [];
      });
      const times = own.flatMap(({ completeAt }) => completeAt ?? []);
      const places = [...own, ...targets.filter((row) => row.source === source)].map(
        ({ dataSourceId }) => dataSourceId,
      );
      return {
        source,
        name: names(source),
        versions: distinct(versions).sort(),
        findings: findings.filter((row) => row.source === source).length,
        data_sources: distinct(places).length,
        last_complete_scan_at: times.length === 0 ? null : iso(Math.max(...times)),
      };
    })
    .sort((one, other) => other.findings - one.findings || less(one.name, other.name));
}
