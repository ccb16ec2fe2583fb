import type { Decision, DecisionJustification, DecisionScope } from '@assay/client';
import { endReasons, formatShare } from '../findings/words.ts';

/** The labels of the classes of reasons. VEX has a term for the first five. */
export const justificationNames: Record<DecisionJustification, string> = {
  vulnerable_code_not_in_execute_path: 'It cannot be reached',
  vulnerable_code_cannot_be_controlled_by_adversary: 'An attacker cannot control it',
  inline_mitigations_already_exist: 'The code already prevents it',
  component_not_present: 'The component is not present',
  vulnerable_code_not_present: 'The vulnerable code is not present',
  test_or_example: 'Test or example code',
  compensating_control: 'Another control protects it',
  business_acceptance: 'The business accepts it',
  other: 'None of these',
};

/** The classes to choose from for each outcome, the most frequent first. Their positions are their keys. */
export const justificationsOf: Record<'false_positive' | 'accepted_risk', DecisionJustification[]> = {
  false_positive: [
    'vulnerable_code_not_in_execute_path',
    'vulnerable_code_cannot_be_controlled_by_adversary',
    'test_or_example',
    'vulnerable_code_not_present',
    'component_not_present',
    'inline_mitigations_already_exist',
    'other',
  ],
  accepted_risk: ['compensating_control', 'vulnerable_code_not_in_execute_path', 'business_acceptance', 'other'],
};

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Returns the name in a package URL: left-pad of `pkg:npm/left-pad`. A name with an invalid escape is returned
 * unchanged.
 */
function packageName(purl: string): string {
  const name = purl.replace(/^pkg:[^/]+\//, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Formats a version range such as `vers:npm/>=1.0.0|<2.0.0` for people. */
const rangeWords = (vers: string) => vers.replace(/^vers:[^/]+\//, '').replaceAll('|', ', ');

export type NameOf = (id: string) => string;
export type ScopeNames = {
  dataSource: NameOf;
  rule: NameOf;
  /** The title of a finding; undefined if it is not known. */
  finding?: (id: string) => string | undefined;
};

/** Describes the findings that a scope covers: "Use of mark_safe, where the path matches tests/**, in payments-api". */
export function scopeWords(scope: DecisionScope, names: ScopeNames): string {
  const [only = '', ...further] = scope.finding ?? [];
  const findings = further.length > 0 ? `${further.length + 1} findings` : (names.finding?.(only) ?? 'One finding');
  const what = [
    ...(scope.finding ? [findings] : []),
    ...(scope.identifier ? [anyOf.format(scope.identifier)] : []),
    ...(scope.rule ? [anyOf.format(scope.rule.map(names.rule))] : []),
  ].join(', ');
  const packages = scope.package && anyOf.format(scope.package.map(packageName));
  const range = scope.versions === undefined ? '' : ` ${rangeWords(scope.versions)}`;
  const where = [
    ...(scope.path ? [`where the path matches ${anyOf.format(scope.path)}`] : []),
    ...(scope.source ? [`found by ${anyOf.format(scope.source)}`] : []),
    ...(scope.data_source ? [`in ${anyOf.format(scope.data_source.map(names.dataSource))}`] : []),
    ...(scope.data_source_tag ? [`in data sources tagged ${anyOf.format(scope.data_source_tag)}`] : []),
  ];
  const subject = packages === undefined ? what : `${what === '' ? '' : `${what} in `}${packages}${range}`;
  return [subject, ...where].join(', ');
}

/** The filters that list the findings of a scope; null if no filters are equivalent. */
export function filtersOfScope(scope: DecisionScope): Record<string, string> | null {
  const { finding, versions, ...filters } = scope;
  if (finding || versions !== undefined) return null;
  return Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, (values as string[]).join(',')]));
}

/** Says how a decision or a request ended: "Withdrawn by Ana", "Early: a fix became available". */
export function endingWords({ status, ended_by: by, ended_because: because }: Decision): string {
  const name = by ? ` by ${by.name}` : '';
  if (status === 'withdrawn') return `Withdrawn${name}`;
  if (status === 'rejected') return `Rejected${name}`;
  if (status === 'ended') return because === null ? 'Early' : `Early: ${endReasons[because]}`;
  return 'Expired';
}

/** Says what ends a decision before its day: "it is known to be exploited or a fix is available"; null if nothing does. */
export function endsWhenWords(when: Decision['ends_when']): string | null {
  if (when === null) return null;
  const { kev, epss_above: epss, severity_above: severity, fix_available: fix, version_changes: version } = when;
  const conditions = [
    kev && 'it is known to be exploited',
    epss !== undefined && `its EPSS score is above ${formatShare(epss)}`,
    severity !== undefined && `its severity is above ${severity}`,
    fix && 'a fix is available',
    version && 'its version changes',
  ].filter((one) => typeof one === 'string');
  return conditions.length === 0 ? null : anyOf.format(conditions);
}

/** The reason of a decision, or else the class of its reason. */
export const whyWords = ({ reason, justification }: Decision): string =>
  reason || (justification ? justificationNames[justification] : '');
