import { severities } from '@assay/scanner/contract/severity.ts';
import Type, { type TInteger } from 'typebox';
import { idOf } from '../../platform/http/schema.ts';
import { statuses } from '../lifecycle.ts';
import { countLimits } from './select-findings.ts';

const count = Type.Integer({ minimum: 0 });

const exactUpTo = countLimits.organization.toLocaleString('en-US');

/** The exactness of counts, for descriptions. */
export const exactness = `Counts are exact in an organization with at most ${exactUpTo} findings, and wherever one of the filters alone selects at most ${countLimits.collection.toLocaleString('en-US')}. Above that, with \`q\` or \`scan\`, or shortly after a start, counts that are not kept up to date anyway may be estimated from a part of the findings: \`approximate\` is true, and \`margin\` says by how much they may be off.`;

export const approximate = Type.Boolean({
  description: `Whether the counts are estimates instead of exact: never among up to ${exactUpTo} findings of an organization.`,
});

/** A margin of the counts that \`of\` names. */
export const marginOfCounts = (of: string) =>
  Type.Integer({ minimum: 0, description: `By how much ${of} is off at most, in 95 of 100 cases; 0 when exact.` });

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
