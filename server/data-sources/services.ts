import type { Keyring } from '../platform/sealed.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import type { TargetRules } from './read-target.ts';

/** What the endpoints of data sources need beside the database. */
export type DataSourceServices = TargetRules & {
  keyring: Keyring;
  /** What later slices add to a deletion, in its transaction and in this order. */
  onDeleted: readonly DataSourceDeleted[];
};
