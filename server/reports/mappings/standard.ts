import type { MappedStandard } from '../mapping-model.ts';

/** A category and the numbers of its CWEs. */
type Category = { id: string; name: string; weaknesses: readonly number[] };

/** A standard as a table of data. `packages` is the category of findings about packages, whatever their CWE. */
export type Standard = Pick<MappedStandard, 'id' | 'name' | 'source'> & {
  categories: readonly Category[];
  packages: string | null;
};
