import { setTimeout as delay } from 'node:timers/promises';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { type Given, LiveOrganization, messageOf, NoRoom } from './live-organization.ts';

/** The columns of an organization are dropped if nobody queries them for this time. */
const maxIdleMs = 3_600_000;
/** A query updates the time of the file's last use if that is older than this. */
const maxUnnotedMs = 120_000;
/** Loading an organization whose columns don't fit is retried after this time. */
const refusalMs = 600_000;

/**
 * The columns of the organizations in use. Each is loaded under its own organization and accessible only by its id. The
 * least recently used ones are evicted for others.
 */
export class LiveColumns {
  /** In order of last use. */
  readonly #organizations = new Map<string, LiveOrganization>();
  readonly #refusedUntil = new Map<string, number>();
  readonly #maxBytes: number;
  readonly #given: Given;

  constructor(given: Given, maxBytes: number) {
    this.#given = given;
    this.#maxBytes = maxBytes;
  }

  /**
   * The ids of the organizations whose columns are loaded, and the size of loaded columns and of those being loaded.
   */
  get usage(): { organizations: string[]; findings: number; bytes: number } {
    const all = [...this.#organizations.values()];
    const organizations = [...this.#organizations].filter(([, { isLoaded }]) => isLoaded).map(([orgId]) => orgId);
    const sum = (of: 'findings' | 'bytes') => all.reduce((total, organization) => total + organization[of], 0);
    return { organizations, findings: sum('findings'), bytes: sum('bytes') };
  }

  /**
   * Returns the columns of an organization with every change committed before the call. Waits up to `waitMs` while they
   * are being loaded; null if they are not loaded by then, or if they don't fit into memory.
   */
  async read(orgId: string, waitMs = 0): Promise<FindingColumns | null> {
    if (this.hasNoRoom(orgId)) return null;
    const organization = this.#organizations.get(orgId) ?? this.#open(orgId);
    this.#organizations.delete(orgId);
    this.#organizations.set(orgId, organization);
    organization.lastAskedAt = performance.now();
    const columns = await organization.read();
    if (columns !== null) return columns;
    const loading = organization.load().then(
      () => this.#store(orgId, organization),
      (error: unknown) => this.#giveUp(orgId, error),
    );
    if (waitMs <= 0) return null;
    const waited = new AbortController();
    await Promise.race([loading, delay(waitMs, null, { signal: waited.signal }).catch(() => null)]);
    waited.abort();
    return organization.read();
  }

  /** Returns whether the columns of an organization did not fit at its last query. */
  hasNoRoom(orgId: string): boolean {
    return (this.#refusedUntil.get(orgId) ?? 0) > performance.now();
  }

  /**
   * Keeps the columns up to date, so that the next query does not have to apply hours of changes, and drops unused
   * ones.
   */
  async refresh(): Promise<void> {
    for (const [orgId, organization] of [...this.#organizations]) {
      if (performance.now() - organization.lastAskedAt > maxIdleMs) this.#drop(orgId);
      else {
        await organization.read().catch(() => {});
        await this.#store(orgId, organization);
      }
    }
    await this.#given.snapshots?.removeOld();
  }

  async #store(orgId: string, organization: LiveOrganization): Promise<void> {
    const { snapshots, report } = this.#given;
    try {
      await organization.store();
      if (performance.now() - organization.lastAskedAt < maxUnnotedMs) await snapshots?.touch(orgId);
    } catch (error) {
      report(`Columns can't be stored: ${messageOf(error)}`);
    }
  }

  /** Loads the columns read in the hour before this start, most recent first, as long as they fit. */
  async start(): Promise<void> {
    for (const orgId of (await this.#given.snapshots?.listRecent()) ?? []) {
      if (this.usage.bytes > this.#maxBytes / 2) return;
      const organization = this.#organizations.get(orgId) ?? this.#open(orgId);
      this.#organizations.set(orgId, organization);
      await organization.load().catch((error: unknown) => this.#giveUp(orgId, error));
    }
  }

  /** Drops the columns of an organization and their file. */
  async forget(orgId: string): Promise<void> {
    this.#drop(orgId);
    await this.#given.snapshots?.remove(orgId);
  }

  #open(orgId: string): LiveOrganization {
    return new LiveOrganization(this.#given, orgId, () => this.#makeRoom(orgId));
  }

  #drop(orgId: string): void {
    this.#organizations.get(orgId)?.drop();
    this.#organizations.delete(orgId);
  }

  #giveUp(orgId: string, error: unknown): void {
    this.#drop(orgId);
    if (error instanceof NoRoom) this.#refusedUntil.set(orgId, performance.now() + refusalMs);
    this.#given.report(messageOf(error));
  }

  /** Evicts organizations until all fit. Throws if the growing one does not fit even without the others. */
  #makeRoom(growing: string): void {
    let { bytes } = this.usage;
    for (const [orgId, organization] of [...this.#organizations]) {
      if (bytes <= this.#maxBytes) return;
      if (orgId === growing) continue;
      bytes -= organization.bytes;
      this.#drop(orgId);
    }
    if (bytes <= this.#maxBytes) return;
    this.#drop(growing);
    throw new NoRoom(
      'The findings of an organization take more memory than ASSAY_COLUMNS_MB allows: they are read by SQL.',
    );
  }
}
