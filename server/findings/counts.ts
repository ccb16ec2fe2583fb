import { type Db, sentTogether } from '../platform/postgres/database.ts';
import type { ChangeTime } from './change-clock.ts';
import { isOpen, type Judgement, moveBetween, moves, type Resolution, type Status } from './lifecycle.ts';

/** The properties by which a finding is counted. `severity` is the stored rank (0-4). */
export type CountedFinding = {
  dataSourceId: string;
  source: string;
  severity: number;
  status: Status;
  resolution: Resolution | null;
};

export const flows = [...moves, 'reclassified'] as const;
export type Flow = (typeof flows)[number];
/**
 * Numbers of findings. `reclassified` is the number that entered from another severity while open, minus the number
 * that left.
 */
export type Flows = Record<Flow, number>;

const noFlows = (): Flows => Object.fromEntries(flows.map((flow) => [flow, 0])) as Flows;

/** Findings of one data source, source and severity (its rank, 0-4). */
type Kind = { data_source_id: string; source: string; severity: number };
type KindFlows = Kind & Flows;

/** SQL that adds flows to those of a row `f`. */
export const addFlows = flows.map((flow) => `${flow} = f.${flow} + excluded.${flow}`).join(', ');

/** SQL for the column `kind` of flows, from the columns that it stands for. */
export const flowKind = 'hashtextextended(data_source_id || source, severity)';

/** Adds flows to the day (UTC) of the change. No earlier reader has read that day as past: see `sealDays`. */
async function insertFlows(tx: Db, orgId: string, time: ChangeTime, rows: KindFlows[]): Promise<void> {
  const some = rows.filter((row) => flows.some((flow) => row[flow] !== 0));
  if (some.length === 0) return;
  const columns = flows.join(', ');
  await tx.query({
    name: 'finding_flows_add',
    text: `INSERT INTO finding_flows AS f (org_id, day, data_source_id, source, severity, ${columns}, kind)
           SELECT $1, ($3::timestamptz AT TIME ZONE 'UTC')::date, d.*, ${flowKind} FROM json_to_recordset($2::json)
             AS d(data_source_id text, source text, severity smallint, ${flows.map((flow) => `${flow} integer`).join(', ')})
           ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (org_id, day, kind)
             DO UPDATE SET ${addFlows}`,
    values: [orgId, JSON.stringify(some), time.at],
  });
}

async function addJudgements(
  tx: Db,
  orgId: string,
  rows: Array<Record<Judgement, number> & { rule_id: string }>,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'rule_judgements_add',
    text: `INSERT INTO rule_judgements AS r (org_id, rule_id, dismissed, confirmed)
           SELECT $1, d.* FROM json_to_recordset($2::json) AS d(rule_id text, dismissed integer, confirmed integer) ORDER BY 1, 2
           ON CONFLICT (org_id, rule_id) DO UPDATE
             SET dismissed = r.dismissed + excluded.dismissed, confirmed = r.confirmed + excluded.confirmed`,
    values: [orgId, JSON.stringify(rows)],
  });
}

type Delta = Kind & { status: string; count: number };

async function addCounts(tx: Db, orgId: string, rows: Delta[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'finding_counts_add',
    text: `INSERT INTO finding_counts (org_id, data_source_id, source, severity, status, count)
           SELECT $1, d.* FROM json_to_recordset($2::json)
             AS d(data_source_id text, source text, severity smallint, status text, count bigint)
           ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (org_id, data_source_id, source, severity, status)
             DO UPDATE SET count = finding_counts.count + excluded.count`,
    values: [orgId, JSON.stringify(rows)],
  });
}

/**
 * Collects a transaction's changes to the counts and writes them together at the end. Every writer locks findings first
 * and counts second, both in key order, so that writers cannot deadlock.
 */
export class CountChanges {
  readonly #deltas = new Map<string, Delta>();
  readonly #flows = new Map<string, KindFlows>();
  readonly #judgements = new Map<string, Record<Judgement, number>>();

  /** Records that `times` findings moved from one state to another; `from` is null for new findings. */
  moved(from: CountedFinding | null, to: CountedFinding, times = 1): void {
    if (from) this.#count(from, -times);
    this.#count(to, times);
    const move = moveBetween(from, to);
    if (move) this.#flow(from && isOpen(from.status) ? from : to)[move] += times;
    else if (from && isOpen(to.status) && from.severity !== to.severity) {
      this.#flow(from).reclassified -= times;
      this.#flow(to).reclassified += times;
    }
  }

  /** Records that a person judged a finding of a rule differently than before; null for not at all. */
  judged(ruleId: string, from: Judgement | null, to: Judgement | null): void {
    if (from === to) return;
    const counts = this.#judgements.get(ruleId) ?? { dismissed: 0, confirmed: 0 };
    this.#judgements.set(ruleId, counts);
    if (from) counts[from] -= 1;
    if (to) counts[to] += 1;
  }

  /** Writes the changes; daily figures are recorded at the time of the change. */
  async write(tx: Db, orgId: string, time: ChangeTime): Promise<void> {
    const deltas = [...this.#deltas.values()].filter((delta) => delta.count !== 0);
    const judged = [...this.#judgements]
      .filter(([, { dismissed, confirmed }]) => dismissed !== 0 || confirmed !== 0)
      .map(([rule_id, counts]) => ({ rule_id, ...counts }));
    await sentTogether([
      addCounts(tx, orgId, deltas),
      insertFlows(tx, orgId, time, [...this.#flows.values()]),
      addJudgements(tx, orgId, judged),
    ]);
  }

  #count({ dataSourceId, source, severity, status }: CountedFinding, by: number): void {
    const key = JSON.stringify([dataSourceId, source, severity, status]);
    const delta = this.#deltas.get(key);
    if (delta) delta.count += by;
    else this.#deltas.set(key, { data_source_id: dataSourceId, source, severity, status, count: by });
  }

  #flow({ dataSourceId, source, severity }: CountedFinding): KindFlows {
    const key = JSON.stringify([dataSourceId, source, severity]);
    const flows = this.#flows.get(key) ?? { data_source_id: dataSourceId, source, severity, ...noFlows() };
    this.#flows.set(key, flows);
    return flows;
  }
}
