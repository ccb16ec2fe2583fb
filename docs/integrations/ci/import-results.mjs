// Sends the results of a scan to Assay: node import-results.mjs results.sarif payments-api
import { openAsBlob } from 'node:fs';
import { Assay } from '@assay/client';

const [file, name] = process.argv.slice(2);
if (!name) throw new Error('Usage: node import-results.mjs FILE NAME-OF-THE-DATA-SOURCE');
const client = new Assay();

// Findings that are no longer in the file are resolved. The first import adds the data source if there is none.
const params = { data_source_name: name, close_missing: true };
const { id } = await client.imports.uploadByName(await openAsBlob(file), params);
const { status, findings, errors } = await client.scans.wait(id);
console.log(`The import is ${status}: ${findings.new} new, ${findings.seen} known, ${findings.resolved} resolved.`);
for (const { message } of errors) console.error(message);
if (status !== 'completed') process.exitCode = 1;
