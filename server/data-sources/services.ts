import type { Keyring } from '../platform/sealed.ts';
import type { Connections } from './connections.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import type { TargetRules } from './read-target.ts';

/** The services that the endpoints of data sources need besides the database. */
export type DataSourceServices = TargetRules & {
  keyring: Keyring;
  connections: Connections;
  /** The directory of the sample repository, which is offered for a first scan; null if there is none. */
  sampleRepository: string | null;
  /** The later slices' parts in a deletion, run in its transaction and in this order. */
  onDeleted: readonly DataSourceDeleted[];
};
