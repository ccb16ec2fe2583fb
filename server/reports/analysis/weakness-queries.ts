import { ofSecretTool, standardsJson } from '../../findings/standards/standards.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

/** Open findings with the same severity, the same CWEs and the same requirements of standards. */
export type WeaknessRow = {
  severity: number;
  /** The numbers of their CWEs; null if neither the tool nor the rule names one. */
  weaknesses: number[] | null;
  inPackage: boolean;
  ofSecretTool: boolean;
  /** The values of `standards`. */
  standards: string[];
  count: number;
};

/** Counts the open findings. Requirements are looked up once for all findings with the same facts. */
export const countWeaknesses = (tx: Db, orgId: string, scope: Scope): Promise<WeaknessRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const at = `${parameters.add(scope.at)}::timestamptz`;
    return `WITH alike AS MATERIALIZED (
        SELECT f.severity, f.weaknesses, f.in_package, f.source, min(f.data_source_id) AS data_source_id,
          min(f.due_at) AS due_at, count(*) AS count
        FROM findings f JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
        WHERE ${where} AND ${isOpen}
        GROUP BY f.severity, f.weaknesses, f.in_package, f.source, d.kind, d.exposure, f.due_at < ${at})
      SELECT severity, weaknesses, "inPackage", "ofSecretTool", standards::json, sum(count)::bigint AS count FROM (
        SELECT f.severity, f.weaknesses, f.in_package AS "inPackage", ${ofSecretTool} AS "ofSecretTool",
          ${standardsJson(at)} AS standards, f.count FROM alike f) found
      GROUP BY severity, weaknesses, "inPackage", "ofSecretTool", standards`;
  });
