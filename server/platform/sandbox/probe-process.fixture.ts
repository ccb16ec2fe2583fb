import { type Probe, tryEverything } from './probe.fixture.ts';

/** Runs in place of the report renderer and the code checker. The probe is its last argument. */
process.stdout.write(JSON.stringify(await tryEverything(JSON.parse(process.argv.at(-1)!) as Probe)));
