import type { Keyring } from '../platform/sealed.ts';
import type { Connections } from './connections.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import type { TargetRules } from './read-target.ts';

/** What the endpoints of data sources need besides the database. */
export type DataSourceServices = TargetRules & {
  keyring: Keyring;
  connections: Connections;
  /** The directory of the sample repository, which is offered for a first scan; null where there is none. */
  sampleRepository: string | null;
  /** What later slices do on a deletion, in its transaction and in this order. */
  onDeleted: readonly DataSourceDeleted[];
};
