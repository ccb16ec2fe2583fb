// Writes the reference of the client libraries from their sources.
//   node scripts/document-clients.mjs [LANGUAGE …]
import { documents } from './clients/documents.mjs';

const given = process.argv.slice(2);
for (const name of given.length > 0 ? given : Object.keys(documents)) {
  const write = documents[name];
  if (!write) throw new Error(`There is no language ${name}. There are ${Object.keys(documents).join(', ')}.`);
  console.log(`${name}: ${await write()}`);
}
