import type { Static } from 'typebox';
import { confidenceJson, contextJson } from './fact-bits.ts';
import { type Finding, findingPages, numberPrefix } from './finding-schema.ts';
import { standardsJson } from './standards/standards.ts';
import { reasonsJson } from './urgency.ts';

/** A text with a `%s` for each value, which is SQL. */
type Text = { template: string; values: string[] };

const text = (template: string, ...values: string[]): Text => ({ template, values });

/**
 * Returns SQL of a text. format() takes half the time of concat() with the constant parts as arguments, and has at
 * most 100 arguments.
 */
const format = (texts: Text[]): string =>
  `format('${texts.map(({ template }) => template).join('')}', ${texts.flatMap(({ values }) => values).join(', ')})`;

/** Returns a JSON object, from the JSON text of its members or SQL of it. */
const object = (members: Record<string, string>): Text =>
  text(
    `{${Object.keys(members)
      .map((name) => `"${name}":%s`)
      .join()}}`,
    ...Object.values(members),
  );

/** SQL of a time to the second. As JSON it is a quote and 19 characters; every connection uses the time zone UTC. */
const jsonTime = (column: string) => `COALESCE(left(to_json(${column})::text, 20) || 'Z"', 'null')`;

const json = (column: string) => `COALESCE(to_json(${column}), 'null')`;

/** A little faster than `json`. */
const jsonNumber = (column: string) => `COALESCE(${column}::text, 'null')`;

/** When a finding was last seen. Seeing it again writes nothing, so the time comes from the last completed scan. */
const lastSeenAt = `GREATEST(f.last_seen_at, CASE WHEN f.seen_last THEN coverage.last_seen_at END)`;

const severityNameOf = (rank: string) => `(ARRAY['info','low','medium','high','critical'])[${rank} + 1]`;

const packageOf = (f: string): Text =>
  object({
    ecosystem: json(`${f}.ecosystem`),
    name: json(`${f}.package_name`),
    version: json(`${f}.package_version`),
    fixed_version: json(`${f}.fixed_version`),
    purl: json(`${f}.purl`),
  });

/** The location of a finding. */
const locationOf = (f: string): Text =>
  object({
    path: json(`${f}.path`),
    start_line: jsonNumber(`${f}.start_line`),
    end_line: jsonNumber(`${f}.end_line`),
    start_column: jsonNumber(`${f}.start_column`),
    end_column: jsonNumber(`${f}.end_column`),
    commit: json(`${f}.commit`),
    url: json(`${f}.url`),
    package: `CASE WHEN ${f}.in_package THEN ${format([packageOf(f)])} ELSE 'null' END`,
  });

/** SQL of the location of a finding as JSON. */
export const locationJson = (f: string): string => `${format([locationOf(f)])}::json`;

/** The texts that findings share (shared-texts.ts). */
const sharedFields = ['description', 'remediation', 'references'] as const;
type SharedField = (typeof sharedFields)[number];
/** The members of `excerpts`, which lists contain only on request. */
const excerptFields = ['code', 'flow', 'fix'] as const;
type FactField = (typeof excerptFields)[number] | SharedField | 'standards';
type Field = keyof Static<typeof Finding>;

/** Every other field of a finding `f` as JSON text, or SQL of that text, in response order. */
const columns: Record<Exclude<Field, FactField>, Text | string> = {
  id: text('"%s"', 'f.id'),
  number: text(`"${numberPrefix}%s"`, 'f.number'),
  url: text(`"%s${findingPages}%s"`, `current_setting('app.base_url', true)`, 'f.id'),
  title: 'to_json(f.title)',
  rule: 'text.rule',
  cvss_score: json('f.cvss'),
  severity: text('"%s"', severityNameOf('f.severity')),
  scanner_severity: json(severityNameOf('f.scanner_severity')),
  status: text('"%s"', 'f.status'),
  source: 'to_json(f.source)',
  data_source: text(
    '{"id":"%s","name":%s,"kind":"%s"}',
    'f.data_source_id',
    'to_json(data_source.name)',
    'data_source.kind',
  ),
  tags: 'to_json(f.tags)',
  assignee: `CASE WHEN assignee.id IS NULL THEN 'null'
       ELSE json_build_object('id', assignee.id, 'name', assignee.name, 'email', assignee.email)::text END`,
  fingerprint: 'to_json(f.fingerprint)',
  occurrences: 'f.occurrences',
  comment_count: 'f.comment_count',
  resolution: json('f.resolution'),
  accepted_until: jsonTime('f.accepted_until'),
  // With COALESCE in the comparison, row-level security would prevent a lookup by the key, as it can't tell what that reveals.
  decision: `CASE WHEN f.decision_id IS NULL AND f.demoted_by IS NULL THEN 'null' ELSE COALESCE((SELECT format('{"id":"%s","outcome":"%s","justification":%s,"until":%s}',
    id, outcome, COALESCE('"' || justification || '"', 'null'), ${jsonTime('until')}) FROM decisions WHERE org_id = $1 AND id = CASE WHEN f.decision_id IS NULL THEN f.demoted_by ELSE f.decision_id END), 'null') END`,
  reopened_count: 'f.reopened_count',
  first_seen_at: jsonTime('f.first_seen_at'),
  last_seen_at: jsonTime(lastSeenAt),
  updated_at: jsonTime('f.updated_at'),
  version: 'f.version',
  closed_at: jsonTime('f.closed_at'),
  context: contextJson,
  confidence: confidenceJson,
  priority: 'f.priority',
  priority_reasons: reasonsJson('f.urgency_bits'),
  epss: json('f.epss'),
  epss_percentile: json('f.epss_percentile'),
  kev: json('f.kev'),
  due_at: jsonTime(`NULLIF(f.due_at, 'infinity')`),
  location: locationOf('f'),
  identifiers: 'f.identifiers',
  evidence: json('f.evidence'),
};

const { id, ...others } = columns;
const asText = (value: Text | string): Text => (typeof value === 'string' ? text('%s', value) : value);
const memberOf = ([name, value]: [string, Text | string]): Text => {
  const { template, values } = asText(value);
  return text(`,"${name}":${template}`, ...values);
};

const textsObject = `('{' || text.members || '}')::json`;

/**
 * Returns SQL for a finding `f` as the JSON text of the API; `more` is SQL of further members, each `',"name":',
 * value,`. PostgreSQL builds the text and the API sends it unchanged: a page of 50 costs the API process about a
 * quarter of the time that fetching columns, building objects and serializing them would take (bench/list-page.ts). The
 * tests compare every list and detail response with the schema.
 */
export const findingJson = (more = '') =>
  format([
    text('{"id":'),
    asText(id),
    ...Object.entries(others).map(memberOf),
    ...(more === '' ? [] : [text('%s', `concat(${more} '')`)]),
    text(',%s}', 'text.members'),
  ]);

/** The fields that a list can be narrowed to. */
export const findingFields = [...excerptFields, 'standards', ...sharedFields, ...Object.keys(columns)] as Field[];

/**
 * Returns SQL for the chosen fields of a finding `f` as JSON text, and the join that it needs. `chosen` is SQL of a
 * boolean for each of `findingFields`: a parameter, so that every choice uses the same prepared statement. Fields that
 * are not chosen are not computed, and texts that PostgreSQL stores outside the row are not read.
 */
export function chosenJson(chosen: string): { json: string; join: string } {
  const isChosen = (field: Field) => `(${chosen})[${findingFields.indexOf(field) + 1}]`;
  const membersOf = (record: string, fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, `COALESCE(${record}."${field}"::text, 'null')`]));
  const facts: Record<string, string> = {
    ...membersOf('excerpt', excerptFields),
    ...membersOf('shared', sharedFields),
  };
  const optional = Object.entries({ ...others, ...facts, standards: standardsJson('now()') }).map((member) =>
    text('%s', `CASE WHEN ${isChosen(member[0] as Field)} THEN ${format([memberOf(member)])} END`),
  );
  const anyShared = sharedFields.map(isChosen).join(' OR ');
  const anyExcerpt = excerptFields.map(isChosen).join(' OR ');
  const typed = (fields: readonly string[]) => fields.map((field) => `"${field}" json`).join(', ');
  return {
    json: format([text('{"id":'), asText(id), ...optional, text('}')]),
    join: `LEFT JOIN LATERAL json_to_record(CASE WHEN ${anyExcerpt} THEN f.excerpts END)
        AS excerpt(${typed(excerptFields)}) ON true
      LEFT JOIN LATERAL json_to_record(CASE WHEN ${anyShared} THEN ${textsObject} END) AS shared(${typed(sharedFields)}) ON true`,
  };
}

/** SQL for the remediation of a finding `f`; `$1` is the organization. */
export const remediationOf = `(SELECT ${textsObject}->>'remediation' FROM finding_texts text WHERE text.org_id = $1 AND text.id = f.text_id)`;

/** The joins that `findingJson` needs. `$1` is the organization. */
export const findingJoins = `
  JOIN data_sources data_source ON data_source.org_id = $1 AND data_source.id = f.data_source_id
  LEFT JOIN finding_coverage coverage ON coverage.org_id = $1 AND coverage.data_source_id = f.data_source_id
    AND coverage.source = f.source
  LEFT JOIN users assignee ON assignee.id = f.assignee_id
  LEFT JOIN finding_texts text ON text.org_id = $1 AND text.id = f.text_id`;

/** SQL for findings `r` of other sources about the same problem as `f`. */
const relatedTo = `findings r WHERE r.problem = f.problem AND r.org_id = $1 AND r.data_source_id = f.data_source_id AND r.source <> f.source`;

/**
 * SQL for whether a finding represents its problem among the findings of several sources: an open finding precedes a
 * closed one; otherwise the one recorded first precedes.
 */
export const isShownForProblem = `(f.problem IS NULL OR NOT EXISTS (SELECT FROM ${relatedTo}
  AND (r.closed_at IS NOT NULL, r.id) < (f.closed_at IS NOT NULL, f.id)))`;

/** SQL for whether a finding `r` of another source about the same problem meets a condition. */
export const hasRelated = (condition: string): string => `EXISTS (SELECT FROM ${relatedTo} AND ${condition})`;

/** The member `standards`, with overdue findings determined at a given time. */
export const standardsMember = (at = 'now()'): string => `',"standards":', ${standardsJson(at)},`;

/** The member `related`. */
export const relatedMember = `',"related":', (SELECT COALESCE(json_agg(id ORDER BY id), '[]')
  FROM (SELECT r.id FROM ${relatedTo} ORDER BY r.id LIMIT 20) related),`;

/** The members `code`, `flow` and `fix`, copied without the enclosing braces. */
export const excerptMembers = `',', COALESCE(right(left(f.excerpts::text, -1), -1), '${excerptFields
  .map((field) => `"${field}":null`)
  .join()}'),`;

/** The member `places`; a finding without stored places has one, its location. */
const ownPlace = `'path', f.path, 'start_line', f.start_line, 'end_line', f.end_line, 'commit', f.commit`;
export const placesMember = `',"places":', COALESCE(f.places, json_build_array(CASE
  WHEN f.in_package THEN json_build_object(${ownPlace}, 'version', f.package_version)
  ELSE json_build_object(${ownPlace}) END)),`;
