import { type Probe, tryEverything } from './probe.fixture.ts';

/** Stands where the renderer and the checker of code stand: the probe is its last argument. */
process.stdout.write(JSON.stringify(await tryEverything(JSON.parse(process.argv.at(-1)!) as Probe)));
