import type { Static } from 'typebox';
import type { Filter } from '../filter.ts';
import { acceptedUntilTo } from './accepted-until-to.ts';
import { assignee } from './assignee.ts';
import { commented } from './commented.ts';
import { confidence } from './confidence.ts';
import { context } from './context.ts';
import { criticality } from './criticality.ts';
import { dataSource } from './data-source.ts';
import { dataSourceTag } from './data-source-tag.ts';
import { dueTo } from './due-to.ts';
import { epssMin } from './epss-min.ts';
import { from } from './from.ts';
import { identifier } from './identifier.ts';
import { kev } from './kev.ts';
import { number } from './number.ts';
import { overdue } from './overdue.ts';
import { owner } from './owner.ts';
import { packageName } from './package.ts';
import { path } from './path.ts';
import { priorityMin } from './priority-min.ts';
import { q } from './q.ts';
import { reopened } from './reopened.ts';
import { requireConditions } from './require-conditions.ts';
import { rule } from './rule.ts';
import { ruleTag } from './rule-tag.ts';
import { scan } from './scan.ts';
import { severity } from './severity.ts';
import { source } from './source.ts';
import { standard } from './standard.ts';
import { status } from './status.ts';
import { tag } from './tag.ts';
import { to } from './to.ts';
import { unique } from './unique.ts';
import { updatedFrom } from './updated-from.ts';
import { updatedTo } from './updated-to.ts';

/** The filters of findings, by API name. */
export const filters = {
  severity,
  status,
  source,
  data_source: dataSource,
  data_source_tag: dataSourceTag,
  owner,
  criticality,
  rule,
  tag,
  assignee,
  identifier,
  number,
  from,
  to,
  updated_from: updatedFrom,
  updated_to: updatedTo,
  path,
  package: packageName,
  scan,
  rule_tag: ruleTag,
  standard,
  kev,
  context,
  confidence,
  unique,
  reopened,
  commented,
  accepted_until_to: acceptedUntilTo,
  overdue,
  due_to: dueTo,
  priority_min: priorityMin,
  epss_min: epssMin,
  q,
};

type Table = typeof filters;
export type FilterName = keyof Table;

/** A filter whose value type is unknown. */
// biome-ignore lint/suspicious/noExplicitAny: each filter has a type of its own
export type AnyFilter = Filter<any, any>;

type ValueOf<Name extends FilterName> = Table[Name] extends Filter<infer _, infer Value> ? Value : never;

/** The filters of a list of findings. A finding must match each filter, and none of the values in `excluded`. */
export type FindingFilters = { [Name in FilterName]?: ValueOf<Name> | undefined } & {
  excluded?: { [Name in FilterName]?: ValueOf<Name> | undefined } | undefined;
};

/** The filters of a request: its query parameters, or the members of a filter object. */
export type FilterInput = { [Name in FilterName]?: Static<Table[Name]['schema']> };

export const filterEntries = Object.entries(filters) as ReadonlyArray<[FilterName, AnyFilter]>;

requireConditions(filterEntries);
