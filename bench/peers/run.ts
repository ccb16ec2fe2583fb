import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { generateSarif } from '../../server/detection/readers/testing/generate-sarif.fixture.ts';
import { machineName, type Row, tableOf } from '../measure.ts';
import { createAssay } from './assay.ts';
import { createDefectDojo } from './defectdojo.ts';
import { measurePeer } from './measure-peer.ts';
import type { Peer } from './peer.ts';

/** Asks the platforms whose addresses and tokens the environment names the same questions: see README.md. */
const { ASSAY_URL, ASSAY_TOKEN, DEFECTDOJO_URL, DEFECTDOJO_TOKEN, DEFECTDOJO_COOKIE } = process.env;
const peers: Peer[] = [];
if (ASSAY_URL && ASSAY_TOKEN) peers.push(createAssay({ address: ASSAY_URL, token: ASSAY_TOKEN }));
if (DEFECTDOJO_URL && DEFECTDOJO_TOKEN) {
  const access = { address: DEFECTDOJO_URL, token: DEFECTDOJO_TOKEN, cookie: DEFECTDOJO_COOKIE ?? null };
  peers.push(createDefectDojo(access));
}
if (peers.length === 0) {
  process.stderr.write('Set ASSAY_URL and ASSAY_TOKEN, DEFECTDOJO_URL and DEFECTDOJO_TOKEN, or both pairs.\n');
  process.exit(2);
}

const results = 10_000;
const sarif = new Blob([await text(Readable.from(generateSarif(results)))], { type: 'application/json' });
const rows: Row[] = [];
for (const peer of peers) rows.push(...(await measurePeer(peer, { results, sarif, pages: 20, changes: 20 })));
process.stdout.write(`${machineName()}, ${new Date().toISOString().slice(0, 10)}\n\n${tableOf(rows)}\n`);
