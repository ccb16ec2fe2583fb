import { textIdOf } from '../server/findings/shared-texts.ts';

/** `r(n, salt)`: a uniformly distributed value in [0, 1), the same for the same arguments. */
export const functions = `
  CREATE FUNCTION pg_temp.r(n bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE
    AS $$ SELECT (hashint8extended(n, salt) & 2147483647) / 2147483648.0::float8 $$;
  CREATE FUNCTION pg_temp.id_of(at timestamptz, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'fnd_' || (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * k)) & 31)::int + 1, 1), '' ORDER BY k)
        FROM generate_series(0, 9) k, (SELECT (extract(epoch FROM at) * 1000)::bigint AS ms) t)
      || 'e' || left(h, 2) || substr('89ab', (n % 4)::int + 1, 1) || substr(h, 3, 12)
    FROM (SELECT md5(n::text) AS h) x $$;`;

/**
 * $1 findings, of which the first organization gets the share $2, and $3 others the rest. Three years of scans, with
 * more of them recently. Three of every ten thousand findings come from one big scan (one time, one data source), the
 * others from small ones; ids ascend, as those of a merge do. Old findings are mostly closed. Rules, data sources,
 * people and tags are skewed: the share of number k decreases with a power of k.
 */
export const insertFindings = `
  INSERT INTO findings (org_id, id, number, data_source_id, source, fingerprint, severity, title, rule_id, path, start_line, end_line, start_column, end_column, commit, identifiers,
    evidence, occurrences,
    facts_hash, words, first_seen_at, first_scan_id, seen_last, last_seen_at, status, resolution, accepted_until, assignee_id,
    tags, reopened_count, comment_count, closed_at, updated_at, version, due_at, priority, text_id)
  SELECT org_id, pg_temp.id_of(first_seen_at, i), i + 1 + (SELECT COALESCE(max(number), 0) FROM findings), data_source_id, source, 'v1:' || left(md5(i::text), 22), severity, title, rule_id,
    path, 1 + i % 900, 1 + i % 900, 5, 40, CASE WHEN kind = 'git_repository' THEN md5(s::text) || '01234567' END, identifiers::json,
    format('const value = read(input[%s]);', i % 97),
    1 + (pg_temp.r(i, 20) * pg_temp.r(i, 21) * 4)::int, hashint8extended(i, 22),
    array_to_tsvector(words || ARRAY['services', 'src', module, 'file' || i % 5000, 'ts', 'const', 'value', 'input', (i % 97)::text]),
    first_seen_at, 'scan_' || left(md5(s::text), 26), status <> 'resolved', first_seen_at, status,
    CASE WHEN status = 'resolved' THEN 'fixed' END,
    CASE WHEN status = 'accepted_risk' THEN clock_timestamp() + pg_temp.r(i, 23) * interval '300 days' END,
    assignee_id, tags, CASE WHEN pg_temp.r(i, 24) < 0.02 THEN 1 ELSE 0 END,
    CASE WHEN status = 'false_positive' THEN 1 ELSE 0 END,
    CASE WHEN status IN ('resolved', 'false_positive', 'accepted_risk') THEN changed_at END,
    CASE WHEN touched THEN changed_at ELSE first_seen_at END, CASE WHEN touched THEN 2 ELSE 1 END,
    CASE WHEN status IN ('resolved', 'false_positive', 'accepted_risk') OR severity = 0 THEN 'infinity'
         ELSE first_seen_at + (ARRAY[180, 90, 30, 15])[severity] * interval '24 hours' END,
    LEAST(100, severity * 14 + i % 40), ${textIdOf('text', 'org_id')}
  FROM (
    SELECT c.*, d.*, m.id AS assignee_id, status <> 'new' OR m.id IS NOT NULL OR tags <> '{}' AS touched,
      first_seen_at + (now() - first_seen_at) * power(pg_temp.r(i, 10), 2) AS changed_at,
      k.id AS rule_id, k.severity, k.title, k.identifiers, k.words, k.text,
      'services/' || module || '/src/file' || i % 5000 || '.ts' AS path
    FROM (
      SELECT i, s, t AS first_seen_at,
        (ARRAY['orders', 'users', 'mail', 'stock', 'ledger', 'search', 'media', 'auth', 'jobs', 'web', 'cart', 'admin'])[1 + (i * 7) % 12] AS module,
        CASE WHEN u < closed * 0.7 THEN 'resolved' WHEN u < closed * 0.88 THEN 'false_positive' WHEN u < closed THEN 'accepted_risk'
             WHEN u < closed + (1 - closed) * 0.82 THEN 'new' WHEN u < closed + (1 - closed) * 0.93 THEN 'triaged' ELSE 'in_progress' END AS status,
        CASE WHEN pg_temp.r(i, 12) > 0.1 THEN '{}' WHEN pg_temp.r(i, 13) < 0.3
             THEN ARRAY['team-' || floor(power(pg_temp.r(i, 14), 2) * 30), 'audit-' || floor(pg_temp.r(i, 15) * 6)]
             ELSE ARRAY['team-' || floor(power(pg_temp.r(i, 14), 2) * 30)] END AS tags, org
      FROM (
        SELECT i, s, CASE WHEN pg_temp.r(s, 2) < $2 THEN 0 ELSE 1 + floor(pg_temp.r(s, 3) * $3)::int END AS org,
          now() - interval '1095 days' * (1 - power(s / $1::float8, 0.7)) AS t,
          pg_temp.r(i, 4) AS u, 0.25 + 0.55 * (1 - power(s / $1::float8, 0.7)) AS closed
        FROM (SELECT i, CASE WHEN pg_temp.r(i / 1000, 1) < 0.3 THEN i / 1000 * 1000 ELSE i / 10 * 10 END AS s
              FROM generate_series(0::bigint, $1::bigint - 1) i OFFSET 0) a OFFSET 0) b OFFSET 0) c
    JOIN LATERAL (SELECT DISTINCT org, total FROM bench_data_sources) o USING (org)
    JOIN LATERAL (SELECT org_id, id AS data_source_id, kind, CASE kind WHEN 'website' THEN 'web' WHEN 'container_image' THEN 'dependencies'
        ELSE CASE WHEN pg_temp.r(s, 5) < 0.15 THEN 'secrets' WHEN pg_temp.r(s, 5) < 0.6 THEN 'code' ELSE 'dependencies' END END AS source
      FROM bench_data_sources b WHERE b.org = c.org AND b.number = floor(power(pg_temp.r(s, 6), 2.5) * o.total)::int) d ON true
    JOIN (SELECT DISTINCT source, total FROM bench_rules) n USING (source)
    JOIN bench_rules k ON k.source = d.source AND k.number = floor(power(pg_temp.r(i, 7), 3) * n.total)::int
    LEFT JOIN bench_members m ON pg_temp.r(i, 8) < 0.12 AND m.org = c.org AND m.number = floor(power(pg_temp.r(i, 9), 2) * m.total)::int
    OFFSET 0) row
  ORDER BY row.first_seen_at, 2`;

export const insertTexts = `
  INSERT INTO finding_texts (org_id, id, words, rule, members)
  SELECT DISTINCT ON (org_id, text_id) org_id, text_id, array_to_tsvector(k.text_words), k.rule, k.text_members
  FROM (SELECT DISTINCT org_id, text_id, rule_id FROM findings) f JOIN bench_rules k ON k.id = f.rule_id ORDER BY 1, 2`;

const moveOf = `CASE status WHEN 'resolved' THEN 'resolved' WHEN 'accepted_risk' THEN 'accepted' WHEN 'false_positive' THEN 'false_positive' END`;

export const insertHistory = `
  INSERT INTO finding_history (org_id, finding_id, at, changes, move, severity, opened_at)
  SELECT org_id, id, COALESCE(closed_at, updated_at), json_build_object('status', json_build_array('new', status)), ${moveOf},
    CASE WHEN closed_at IS NOT NULL THEN severity END, CASE WHEN closed_at IS NOT NULL THEN first_seen_at END
  FROM findings WHERE status <> 'new'
  ORDER BY 1, 2`;

export const insertComments = `
  INSERT INTO finding_comments (org_id, finding_id, id, comment, created_at)
  SELECT org_id, id, 'cmt_' || substr(id, 5), 'Looked at with the team: a fixture, nothing that runs.', updated_at
  FROM findings WHERE comment_count > 0 ORDER BY 1, 2`;

export const insertCounts = `
  INSERT INTO finding_counts SELECT org_id, data_source_id, source, severity, status, count(*) FROM findings GROUP BY 1, 2, 3, 4, 5
  ORDER BY 1, 2, 3, 4, 5`;

/** Sorted by day. */
export const insertFlows = `
  INSERT INTO finding_flows (org_id, day, data_source_id, source, severity, new, resolved, accepted, false_positive, kind)
  SELECT org_id, (at AT TIME ZONE 'UTC')::date, data_source_id, source, severity, count(*) FILTER (WHERE move = 'new'),
    count(*) FILTER (WHERE move = 'resolved'), count(*) FILTER (WHERE move = 'accepted'), count(*) FILTER (WHERE move = 'false_positive'),
    hashtextextended(data_source_id || source, severity)
  FROM (
    SELECT org_id, first_seen_at AS at, data_source_id, source, severity, 'new' AS move FROM findings
    UNION ALL
    SELECT org_id, closed_at, data_source_id, source, severity, ${moveOf} FROM findings WHERE closed_at IS NOT NULL) moves
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 1, 3, 4, 5`;

export const insertCoverage = `
  INSERT INTO finding_coverage (org_id, data_source_id, source, scan_id, started_at, last_seen_at, complete_at)
  SELECT DISTINCT ON (org_id, data_source_id, source) org_id, data_source_id, source, first_scan_id, first_seen_at, now(), now()
  FROM findings ORDER BY org_id, data_source_id, source, first_seen_at DESC`;

/** Nothing is left to recompute, which would otherwise rewrite every finding during the measurements. */
export const insertRecomputations = `
  INSERT INTO finding_recomputations (org_id, data_source_id, inputs, done)
  SELECT d.org_id, d.id, concat_ws('.', $1::integer, d.importance_version, COALESCE(p.version, 0)), true
  FROM data_sources d LEFT JOIN finding_policies p ON p.org_id = d.org_id`;
