import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';

const schemaFile = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
// The schema is for draft 4; of its keywords, only these two have been renamed since. One of its patterns is invalid in
// Unicode mode.
const { id: _, $schema: __, ...schema } = JSON.parse(await readFile(schemaFile, 'utf8'));
const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** Returns the first errors of a SARIF log according to the schema of SARIF 2.1.0. */
export const sarifErrorsIn = (log: unknown) => (validate(log) ? [] : validate.errors!.slice(0, 5));
