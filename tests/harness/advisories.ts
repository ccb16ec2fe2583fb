import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip } from './zip.ts';

export type OsvAdvisory = { id: string; modified: string } & Record<string, unknown>;

/** Returns an advisory in OSV's format about one package: affected from version 0 until it was fixed. */
export const osvAdvisory = (
  id: string,
  ecosystem: string,
  name: string,
  fixed: string,
  more: object = {},
): OsvAdvisory => ({
  id,
  modified: '2026-01-01T00:00:00Z',
  summary: `Something is wrong with ${name}`,
  affected: [
    { package: { ecosystem, name }, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }] },
  ],
  ...more,
});

/** A directory in the layout of OSV's export, for tests to fill. */
export class AdvisoryDirectory {
  readonly directory = mkdtempSync(join(tmpdir(), 'advisories-'));

  put(ecosystem: string, advisories: OsvAdvisory[], others: Record<string, string> = {}) {
    const files = Object.fromEntries(advisories.map((advisory) => [`${advisory.id}.json`, JSON.stringify(advisory)]));
    this.write(ecosystem, makeZip({ ...files, ...others }));
  }

  write(ecosystem: string, archive: Buffer) {
    mkdirSync(join(this.directory, ecosystem), { recursive: true });
    writeFileSync(join(this.directory, ecosystem, 'all.zip'), archive);
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
