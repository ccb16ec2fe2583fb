// Sends the results of a scan to Assay: node import-results.mjs results.sarif payments-api
import { openAsBlob } from 'node:fs';
import { Assay } from '@assay/client';

const [file, name] = process.argv.slice(2);
if (!name) throw new Error('Usage: node import-results.mjs FILE NAME-OF-THE-DATA-SOURCE');
const client = new Assay();

async function findDataSource() {
  for await (const dataSource of client.dataSources.list()) {
    if (dataSource.kind === 'upload' && dataSource.name === name) return dataSource;
  }
  return client.dataSources.create({ kind: 'upload', name });
}

const dataSource = await findDataSource();
// Findings that the file no longer has are resolved.
const { id } = await client.imports.upload(dataSource.id, await openAsBlob(file), { close_missing: true });
const { status, findings, errors } = await client.scans.wait(id);
console.log(`The import is ${status}: ${findings.new} new, ${findings.seen} known, ${findings.resolved} resolved.`);
for (const { message } of errors) console.error(message);
if (status !== 'completed') process.exitCode = 1;
