import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { planWithoutValues } from '../server/platform/postgres/statement.ts';

// What a sharded database (Citus) asks of the statements, which PostgreSQL itself does not: docs/citus.md explains it.

const server = resolve(import.meta.dirname, '../server');

const texts = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.(test|fixture))\.ts$/.test(file) && !file.includes('node_modules'))
  .map((file) => join(server, file))
  .flatMap((file) =>
    (readFileSync(file, 'utf8').match(/`[^`]*`|'[^'\n]*'/g) ?? []).map((text) => ({
      where: `${relative(server, file)}: ${text.replace(/\s+/g, ' ').slice(0, 120)}`,
      text,
    })),
  );

/** Returns where statements are that match. */
const find = (pattern: RegExp) => texts.filter(({ text }) => pattern.test(text)).map(({ where }) => where);

test('settings of a transaction are set by SET LOCAL, which reaches the other servers too', () => {
  assert.deepEqual(find(/set_config\([^)]*\btrue\s*\)/), []);
});

/** Tables that are never distributed, and whose statements are free. */
const local =
  /graphile_worker|worker_heartbeats|worker_tools|advisory_sync|advisory_archives|guess_limits|failed_sign_ins|password_salts|installation_secrets/;

/** Statements that change rows, except for those of local tables. */
const updates = texts.filter(({ text }) => /^.\s*(WITH \w+ AS \()?UPDATE |DO UPDATE/.test(text) && !local.test(text));

test('an UPDATE calls no volatile function', () => {
  const wrong = updates.filter(({ text }) => {
    const [insert, update] = text.split('DO UPDATE');
    return /clock_timestamp|random\(|gen_random/.test(update ?? insert!);
  });
  assert.ok(updates.length > 40, 'The pattern no longer finds the statements.');
  assert.deepEqual(
    wrong.map(({ where }) => where),
    [],
    'Take statement_timestamp(), or select the value before.',
  );
});

const stable =
  /\b(now|(statement|transaction|clock)_timestamp|current_setting|date_trunc|to_char|age)\(|current_(timestamp|date)/i;

/** Returns the arguments of each COALESCE and the branches of each CASE. */
function conditionals(text: string): string[] {
  const cases = text.match(/\bCASE\b[\s\S]*?\bEND\b/gi) ?? [];
  const coalesced = [...text.matchAll(/\bCOALESCE\(/gi)].map(({ index, 0: begin }) => {
    let depth = 1;
    let end = index + begin.length;
    for (; depth > 0 && end < text.length; end += 1) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    return text.slice(index, end);
  });
  return [...cases, ...coalesced];
}

test('an UPDATE has no function of the time or of settings in COALESCE or CASE, and none where rows conflict', () => {
  const wrong = updates.filter(({ text }) => {
    const onConflict = text.split('DO UPDATE')[1];
    return (
      (onConflict !== undefined && stable.test(onConflict)) || conditionals(text).some((part) => stable.test(part))
    );
  });
  assert.deepEqual(
    wrong.map(({ where }) => where),
    [],
    'Take a parameter, or the value of `excluded`.',
  );
});

test('rows are inserted from a SELECT by insertRows alone, which does without where tables are distributed', () => {
  const insertsSelected = texts.filter(
    ({ text }) =>
      /INSERT INTO (?!worker_heartbeats)\w+( AS \w+)? \([^)]*\)\s+SELECT\b/.test(text) && /org_id/.test(text),
  );
  assert.deepEqual(
    insertsSelected.map(({ where }) => where),
    [],
  );
});

test('no statement is planned without its values where these say which server to ask', () => {
  const forced = texts
    .filter(({ text }) => text.includes('force_generic_plan'))
    .map(({ where }) => where.split(':')[0]);
  assert.deepEqual(forced, [join('platform', 'postgres', 'statement.ts')]);
  assert.deepEqual(planWithoutValues({ enable_sort: 'off' }), {
    text: `SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'`,
    sharded: `SET LOCAL enable_sort = 'off'`,
  });
  assert.equal(planWithoutValues().sharded, 'SELECT');
});

test('a migration of distributed tables drops one object a statement', () => {
  const migrations = join(server, 'migrations');
  const files = readdirSync(migrations).filter((file) => /^\d{4}_/.test(file) && file > '0047_sharding.sql');
  assert.ok(files.length >= 6);
  const wrong = files.filter((file) =>
    /^DROP (INDEX|TABLE)\b[^;]*,/m.test(readFileSync(join(migrations, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

/** The functions of the schema that run as the owner, to look across organizations. */
const definers = readFileSync(join(server, 'migrations', 'schema.sql'), 'utf8')
  .split(/^(?=CREATE OR REPLACE FUNCTION )/m)
  .filter((text) => /^.*SECURITY DEFINER/m.test(text.split('AS $function$')[0]!))
  .map((text) => {
    const [, name, parameters] = /FUNCTION public\.(\w+)\((.*)\)$/m.exec(text)!;
    const [head, body] = text.split(/AS \$function\$|\$function\$/);
    return { name: name!, parameters: parameters!, language: /^ LANGUAGE (\w+)/m.exec(head!)![1]!, body: body! };
  });

test('a function that looks across organizations and has parameters is in PL/pgSQL, which can pass them on', () => {
  assert.ok(definers.length > 20, 'The pattern no longer finds the functions.');
  const wrong = definers.filter(({ parameters, language }) => parameters !== '' && language !== 'plpgsql');
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
});

test('a function that looks for work without a job takes the work first, and then asks the table of jobs', () => {
  const asking = definers.filter(({ name, body }) => name !== 'has_job' && /has_job\(|graphile_worker/.test(body));
  assert.ok(asking.length >= 4);
  for (const { name, body } of asking) {
    const questions = body.match(/NOT has_job\(/g)!.length;
    assert.equal(body.match(/LIMIT 1000000\) u\s+WHERE NOT has_job\(/g)?.length, questions, name);
  }
});

test('a function that removes rows does so by plain DELETEs', () => {
  const removing = definers.filter(({ body }) => /\bDELETE\b/.test(body));
  assert.ok(removing.length >= 3);
  const wrong = removing.filter(({ body }) => /\bWITH\b|ctid|RETURNING/.test(body) || !/^\s+DELETE FROM/m.test(body));
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
});

test("a transaction looks for a person's organizations before it writes", () => {
  const calls = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => {
      const content = readFileSync(join(server, file), 'utf8');
      return [...content.matchAll(/await findAuditedAccount\(tx, /g)].map(({ index }) => {
        const begin = Math.max(content.lastIndexOf('async (tx', index), content.lastIndexOf('(tx: Db', index));
        return { file, before: content.slice(begin, index) };
      });
    });
  assert.ok(calls.length >= 10, 'The pattern no longer finds the calls.');
  const late = calls.filter(({ before }) => /await (?!find)\w+\(tx/.test(before)).map(({ file }) => file);
  assert.deepEqual(late, []);
});
