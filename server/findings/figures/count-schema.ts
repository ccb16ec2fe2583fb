import { severities } from '@assay/scanner/contract/severity.ts';
import Type, { type TInteger } from 'typebox';
import { idOf } from '../../platform/http/schema.ts';
import { statuses } from '../lifecycle.ts';

const count = Type.Integer({ minimum: 0 });

const countsOf = (names: readonly string[], id: string) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, count])) as Record<string, TInteger>, { $id: id });

export const SeverityCounts = countsOf(severities, 'SeverityCounts');
export const StatusCounts = countsOf(statuses, 'StatusCounts');

export const SourceCounts = Type.Record(Type.String(), Type.Integer(), {
  description: 'Detection source types that have findings.',
});

export const DataSourceCounts = Type.Array(
  Type.Object({ id: idOf('ds'), name: Type.String(), open: count, total: count }, { $id: 'DataSourceCount' }),
  { description: 'Data sources that have findings, the one with most open ones first.' },
);
