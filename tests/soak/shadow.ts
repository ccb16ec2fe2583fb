import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { Client } from './client.ts';
import type { Layout, Random } from './layout.ts';

/** The maximum time for which findings are locked: responses that take longer are not compared. */
const heldMs = 4_000;
/** No query starts so shortly before the end. */
const lastMs = 500;
const lockTimeoutMs = 2_000;
/** Requests are sent side by side. */
const lanes = 8;
/** The maximum number of responses of one moment: later ones are about newer findings. */
const maxAtOnce = 400;
/** A node that is away or loads its columns is asked again after this time. */
const retryMs = 100;
const pauseMs = { min: 300, max: 900 };

const severities = ['info', 'low', 'medium', 'high', 'critical'];
const openStatuses = `('new', 'triaged', 'in_progress')`;

/** A filter of the API, and its equivalent in plain SQL. */
type Filter = { field: string; value: string; sql: string };
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const fieldColumns = { status: 'status', source: 'source', data_source: 'data_source_id', rule: 'rule_id' } as const;

/** Values of the existing findings, by field. */
type Values = Record<keyof typeof fieldColumns | 'tag' | 'word' | 'scan' | 'seen' | 'changed', string[]>;

/** Runs a statement. */
type Query = <Row extends object>(sql: string) => Promise<Row[]>;

/** Sends the statements that are requested at the same time as one message: a round trip each takes longer than they do. */
function queryTogether(database: pg.Client): Query {
  let waiting: Array<{ sql: string; take(rows: object[]): void; fail(error: unknown): void }> = [];
  const send = (): void => {
    const sent = waiting;
    waiting = [];
    database.query(sent.map(({ sql }) => sql).join(';')).then(
      (found: pg.QueryResult | pg.QueryResult[]) => {
        for (const [index, { rows }] of [found].flat().entries()) sent[index]!.take(rows);
      },
      (error) => {
        for (const { fail } of sent) fail(error);
      },
    );
  };
  return <Row extends object>(sql: string) =>
    new Promise<Row[]>((take, fail) => {
      if (waiting.length === 0) setImmediate(send);
      waiting.push({ sql, take: take as (rows: object[]) => void, fail });
    });
}

/** The scans that changed the status from or to resolved. */
const changedBy = (place: 0 | 1) => `ARRAY(SELECT h.scan_id FROM finding_history h WHERE h.org_id = f.org_id
  AND h.finding_id = f.id AND h.scan_id IS NOT NULL AND h.changes #>> '{status,${place}}' = 'resolved')`;

/**
 * The values that filters need, as of one moment: the statements that compute the expected results run after the locks
 * are released.
 */
const prepare = [
  `CREATE TEMPORARY TABLE shadow AS
  SELECT f.org_id, f.id, f.severity, (ARRAY['${severities.join("', '")}'])[f.severity + 1] AS severity_name, f.status, f.source, f.data_source_id, f.rule_id, f.tags, f.priority, f.due_at,
    f.first_seen_at, f.updated_at, f.reopened_count, f.comment_count, f.first_scan_id,
    f.path,
    NOT EXISTS (SELECT FROM findings r WHERE r.org_id = f.org_id AND r.problem = f.problem AND r.source <> f.source
      AND (r.closed_at IS NOT NULL, r.id) < (f.closed_at IS NOT NULL, f.id)) AS is_shown,
    ${changedBy(0)} AS reopened_by, ${changedBy(1)} AS resolved_by
  FROM findings f`,
  `CREATE TEMPORARY TABLE shadow_words AS
  SELECT f.id, f.words || COALESCE(t.words, '') AS words
  FROM findings f LEFT JOIN finding_texts t ON t.org_id = f.org_id AND t.id = f.text_id`,
];

const second = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

async function readValues(query: Query): Promise<Values> {
  const read = async (sql: string, from = 'shadow') =>
    (await query<{ value: string }>(`SELECT DISTINCT ${sql} AS value FROM ${from} LIMIT 50`)).map(({ value }) => value);
  const columns = Object.entries(fieldColumns).map(async ([field, column]) => [field, await read(column)] as const);
  const [tag, scan, seen, changed, words, ...fields] = await Promise.all([
    read('unnest(tags)'),
    read('first_scan_id'),
    read(second('first_seen_at')),
    read(second('updated_at')),
    read('unnest(tsvector_to_array(words))', '(SELECT words FROM shadow_words LIMIT 200) s'),
    ...columns,
  ]);
  const word = words.filter((text) => /^[a-z]{3,}$/.test(text));
  return {
    tag,
    scan,
    seen,
    changed,
    word,
    ...(Object.fromEntries(fields) as Record<keyof typeof fieldColumns, string[]>),
  };
}

const timeFilters = {
  from: ['first_seen_at', 'seen', (time: string) => `>= '${time}'`],
  to: ['first_seen_at', 'seen', (time: string) => `< timestamptz '${time}' + interval '1 second'`],
  updated_from: ['updated_at', 'changed', (time: string) => `>= '${time}'`],
  updated_to: ['updated_at', 'changed', (time: string) => `< timestamptz '${time}' + interval '1 second'`],
} as const;

const scanFilters = {
  new: (scan: string) => `first_scan_id = '${scan}'`,
  reopened: (scan: string) => `'${scan}' = ANY (reopened_by)`,
  resolved: (scan: string) => `'${scan}' = ANY (resolved_by)`,
};

/** Returns up to three filters on different fields. */
function chooseFilters(values: Values, random: Random): Filter[] {
  const filters: Filter[] = [];
  const chosen = (field: string, value: string, sql: string) => filters.push({ field, value, sql });
  const isChosen = (share: number) => random.next() < share;
  if (isChosen(0.3)) {
    const ranks = [random.between(0, 4), random.between(0, 4)];
    chosen('severity', ranks.map((rank) => severities[rank]).join(), `severity IN (${ranks})`);
  }
  for (const [field, column] of Object.entries(fieldColumns)) {
    const known = values[field as keyof Values];
    if (known.length === 0 || !isChosen(0.2)) continue;
    const value = random.pick(known);
    if (isChosen(0.3)) chosen(field, `-${value}`, `${column} <> ${literal(value)}`);
    else chosen(field, value, `${column} = ${literal(value)}`);
  }
  if (values.tag.length > 0 && isChosen(0.1)) {
    const value = random.pick(values.tag);
    chosen('tag', value, `tags && ARRAY[${literal(value)}]`);
  }
  if (isChosen(0.1)) {
    const digit = random.between(1, 9);
    chosen('path', `src/file-${digit}*.ts`, `path ~ '^src/file-${digit}[^/]*[.]ts$'`);
  }
  if (isChosen(0.1)) chosen('reopened', 'true', 'reopened_count > 0');
  if (isChosen(0.1)) chosen('commented', 'false', 'comment_count = 0');
  if (isChosen(0.1)) chosen('unique', 'true', 'is_shown');
  for (const [field, [column, of, compare]] of Object.entries(timeFilters)) {
    const value = isChosen(0.06) && !filters.some((one) => one.sql.startsWith(column)) && random.pick(values[of]);
    if (value) chosen(field, value, `${column} ${compare(value)}`);
  }
  if (values.word.length > 0 && isChosen(0.12)) {
    const words = [random.pick(values.word), random.pick(values.word)].slice(0, random.between(1, 2));
    chosen('q', words.join(' '), `id IN (SELECT id FROM shadow_words WHERE words @@ '${words.join(' & ')}'::tsquery)`);
  }
  if (isChosen(0.1)) {
    const [scan, [change, sql]] = [random.pick(values.scan), random.pick(Object.entries(scanFilters))];
    if (isChosen(0.3)) chosen('scan', `-${scan}:${change}`, `NOT ${sql(scan)}`);
    else chosen('scan', `${scan}:${change}`, sql(scan));
  }
  for (let last = filters.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [filters[last], filters[other]] = [filters[other]!, filters[last]!];
  }
  return filters.slice(0, 3);
}

const queryOf = (filters: readonly Filter[]) =>
  filters.map(({ field, value }) => `${field}=${encodeURIComponent(value)}`).join('&');
const conditionOf = (filters: readonly Filter[]) => filters.map(({ sql }) => sql).join(' AND ') || 'true';

/** The API's response, and a function that computes it by plain SQL. */
type Answer = { found: unknown; expect(query: Query): Promise<unknown> };

/** Queries the API; returns null without a response. */
type Question = (
  ask: (path: string) => Promise<unknown>,
  filters: readonly Filter[],
  random: Random,
) => Promise<Answer | null>;

const orders = {
  '-severity': 'severity DESC, first_seen_at DESC, id DESC',
  '-priority': 'priority DESC, first_seen_at DESC, id DESC',
  due_at: 'due_at, id',
  first_seen_at: 'first_seen_at, id',
  '-first_seen_at': 'first_seen_at DESC, id DESC',
};

type Page = { data: Array<{ id: string }>; next_cursor: string | null };

const idsOf = ({ data }: Page, filters: readonly Filter[], order: string): Answer => ({
  found: data.map(({ id }) => id),
  expect: async (query) => {
    const sql = `SELECT id FROM shadow WHERE ${conditionOf(filters)} ORDER BY ${order}`;
    return (await query<{ id: string }>(sql)).map(({ id }) => id);
  },
});

/** A list, or its second page. */
const list: Question = async (ask, filters, random) => {
  const [sort, order] = random.pick(Object.entries(orders));
  const limit = random.between(1, 200);
  const path = `/findings?fields=id&limit=${limit}&sort=${sort}&${queryOf(filters)}`;
  const isSecond = random.next() < 0.4;
  let page = (await ask(path)) as Page | null;
  if (page === null) return null;
  const next = isSecond ? page.next_cursor : null;
  if (next !== null) page = (await ask(`${path}&next_cursor=${next}`)) as Page | null;
  if (page === null) return null;
  return idsOf(page, filters, `${order} LIMIT ${limit} OFFSET ${next === null ? 0 : limit}`);
};

/** The first changes: the API holds back those that a transaction in progress may still precede. */
const changes: Question = async (ask, filters, random) => {
  const path = `/findings?fields=id&limit=${random.between(1, 200)}&sort=updated_at&${queryOf(filters)}`;
  const page = (await ask(path)) as Page | null;
  if (page === null) return null;
  return idsOf(page, filters, `updated_at, id LIMIT ${page.data.length}`);
};

type Counts = Record<string, number>;
const countsOf = (rows: Array<{ value: string; count: number }>): Counts =>
  Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ value, count }) => [value, count]));
/** Sorts keys, so that they can be compared as text. */
const sorted = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).sort());

const opens = `count(*) FILTER (WHERE status IN ${openStatuses})`;

/** Counts the matching findings and the open ones among them: in all, and by the values of each column. */
async function countBy(query: Query, columns: readonly string[], filters: readonly Filter[]) {
  type Row = Record<string, string | null> & Record<'total' | 'open', number>;
  const rows = await query<Row>(`SELECT ${columns}, count(*)::int AS total, ${opens}::int AS open
    FROM shadow WHERE ${conditionOf(filters)} GROUP BY GROUPING SETS ((), ${columns.map((column) => `(${column})`)})`);
  const { total, open } = rows.find((row) => columns.every((column) => row[column] === null))!;
  const by = (column: string, what: 'total' | 'open' = 'total'): Counts =>
    sorted(countsOf(rows.flatMap((row) => (row[column] ? [{ value: row[column], count: row[what] }] : []))));
  return { total, open, by };
}

const facets: Question = async (ask, filters) => {
  const columns = { severity: 'severity_name', ...fieldColumns };
  const answer = (await ask(`/findings/facets?field=${Object.keys(columns)}&${queryOf(filters)}`)) as {
    total: number;
    facets: Array<{ field: string; values: Array<{ value: string; count: number }> }>;
  } | null;
  if (answer === null) return null;
  const fields = answer.facets.map(({ field, values }) => [field, sorted(countsOf(values))]);
  return {
    found: { total: answer.total, fields },
    expect: async (query) => {
      const isFiltered = (field: string) => filters.some((filter) => filter.field === field);
      const chosen = countBy(query, Object.values(columns), filters);
      const expected = Object.entries(columns).map(async ([field, column]) => {
        const others = filters.filter((filter) => filter.field !== field);
        return [field, (await (isFiltered(field) ? countBy(query, [column], others) : chosen)).by(column)];
      });
      // All are waited for together: a lost connection fails each of them.
      const [{ total }, counted] = await Promise.all([chosen, Promise.all(expected)]);
      return { total, fields: counted };
    },
  };
};

const groups: Question = async (ask, filters, random) => {
  const [by, column] = random.pick([
    ['rule', 'rule_id'],
    ['data_source', 'data_source_id'],
  ] as const);
  const answer = (await ask(`/findings/groups?by=${by}&limit=200&${queryOf(filters)}`)) as {
    data: Array<{ value: string; count: number; by_severity: Counts }>;
  } | null;
  if (answer === null) return null;
  return {
    found: answer.data.map(({ value, count: total, by_severity }) => [value, total, by_severity]),
    expect: async (query) => {
      const rows = await query<{ value: string; severity_name: string; count: number }>(
        `SELECT ${column} AS value, severity_name, count(*)::int AS count
        FROM shadow WHERE ${conditionOf(filters)} GROUP BY 1, 2`,
      );
      return Object.entries(Object.groupBy(rows, ({ value }) => value))
        .map(([value, parts = []]) => {
          const counts = new Map(parts.map((part) => [part.severity_name, part.count]));
          const bySeverity = Object.fromEntries(severities.map((name) => [name, counts.get(name) ?? 0]));
          return [value, parts.reduce((sum, part) => sum + part.count, 0), bySeverity] as const;
        })
        .sort(([value, total], [other, otherTotal]) => otherTotal - total || (value < other ? -1 : 1));
    },
  };
};

const summary: Question = async (ask, filters) => {
  const answer = (await ask(`/findings/summary?${queryOf(filters)}`)) as Record<string, never> | null;
  if (answer === null) return null;
  const { total, open, by_status, by_severity, by_source, by_data_source, by_age } = answer as unknown as {
    total: number;
    open: number;
    by_status: Counts;
    by_severity: Counts;
    by_source: Counts;
    by_data_source: Array<{ id: string; open: number; total: number }>;
    by_age: Array<{ open: number }>;
  };
  const present = (counts: Counts) =>
    sorted(countsOf(Object.entries(counts).map(([value, number]) => ({ value, count: number }))));
  const of = (of: 'open' | 'total') => present(Object.fromEntries(by_data_source.map((row) => [row.id, row[of]])));
  // Ages depend on a clock that other faults move.
  const ofAges = by_age.reduce((sum, band) => sum + band.open, 0);
  return {
    found: [total, open, ofAges, present(by_status), present(by_severity), present(by_source), of('total'), of('open')],
    expect: async (query) => {
      const { by, ...all } = await countBy(query, ['status', 'severity_name', 'source', 'data_source_id'], filters);
      const parts = [by('status'), by('severity_name'), by('source'), by('data_source_id')];
      return [all.total, all.open, all.open, ...parts, by('data_source_id', 'open')];
    },
  };
};

const questions = { list, changes, facets, groups, summary };
const kinds = ['list', 'list', 'list', 'list', 'changes', 'facets', 'groups', 'summary'] as const;

/** Sends requests while no finding can change, and compares the responses with SQL on the findings of that moment. */
async function compareBatch(client: Client, database: pg.Client, random: Random): Promise<void> {
  await database.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; LOCK TABLE findings IN SHARE MODE`);
  const until = performance.now() + heldMs;
  const query = queryTogether(database);
  const prepared = prepare.map((sql) => query(sql));
  const [values] = await Promise.all([readValues(query), ...prepared]);
  if (values.scan.length === 0) return void (await database.query('COMMIT'));
  const ask = async (path: string): Promise<unknown> => {
    const answered = client.send('GET', path).then((response) => (response?.status === 200 ? response.body : null));
    return Promise.race([answered, delay(Math.max(0, until - performance.now()), null, { ref: false })]);
  };
  const answers: Array<Answer & { name: string; about: string }> = [];
  const askOn = async (): Promise<void> => {
    while (answers.length < maxAtOnce && performance.now() < until - lastMs && !client.isOver) {
      const name = random.pick(kinds);
      const filters = chooseFilters(values, random);
      const answer = await questions[name](ask, filters, random);
      if (answer) answers.push({ ...answer, name, about: `${name} ${queryOf(filters)}` });
      else {
        client.journal.count('queries without a result to compare');
        await delay(retryMs);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, askOn));
  // If the connection still works, it has had its lock all the time.
  await database.query('COMMIT');
  // Nothing is known about temporary tables, and a nested loop over both takes seconds.
  await database.query('SET enable_nestloop = off');
  const compare = async ({ name, about, found, expect }: (typeof answers)[number]): Promise<void> => {
    const expected = await expect(query);
    client.journal.count('answers compared with SQL');
    client.journal.count(`compared: ${name}`);
    if (isDeepStrictEqual(found, expected)) return;
    const [first, second] = [found, expected].map((answer) => JSON.stringify(answer).slice(0, 1_500));
    client.journal.problem(`different: ${about} is ${first} and should be ${second}`);
  };
  await Promise.all(answers.map(compare));
}

/**
 * Returns whether an error comes from a database that is unavailable, stopping or out of space, or from a lock of
 * another session.
 */
const isAway = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? /^(08|53|57|58|55P03|40P01|XX)/.test(error.code ?? '')
    : error instanceof Error && /connect|terminated|timeout|not queryable|ECONN|EPIPE/i.test(error.message);

/** Compares lists, facets, groups and summaries with plain SQL, at moments when no finding can change. */
export const compareWithSql =
  (layout: Pick<Layout, 'adminUrl'>) =>
  async (client: Client, random: Random): Promise<void> => {
    while (!client.isOver) {
      const connectionString = await layout.adminUrl();
      const database = new pg.Client({ connectionString, connectionTimeoutMillis: lockTimeoutMs });
      database.on('error', () => {});
      try {
        await database.connect();
        await compareBatch(client, database, random);
      } catch (error) {
        // The database is unavailable, or another session writes for longer than the lock timeout.
        if (!isAway(error)) throw error;
      } finally {
        await database.end().catch(() => {});
      }
      await delay(random.between(pauseMs.min, pauseMs.max));
    }
  };
