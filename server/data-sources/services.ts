import type { Keyring } from '../platform/sealed.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import type { TargetRules } from './read-target.ts';

/** What the endpoints of data sources need besides the database. */
export type DataSourceServices = TargetRules & {
  keyring: Keyring;
  /** What later slices do on a deletion, in its transaction and in this order. */
  onDeleted: readonly DataSourceDeleted[];
};
