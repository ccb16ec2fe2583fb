import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../tests/harness/database.ts';
import { describeSchema } from '../tests/harness/describe-schema.ts';

/** Writes server/migrations/schema.sql from the migrations. */
const file = fileURLToPath(new URL('../server/migrations/schema.sql', import.meta.url));
const database = await createTestDatabase();
const schema = await describeSchema(database.adminUrl);
await database.drop();
const before = await readFile(file, 'utf8').catch(() => '');
if (schema !== before) await writeFile(file, schema);
console.log(schema === before ? 'schema.sql is current' : 'schema.sql was updated');
