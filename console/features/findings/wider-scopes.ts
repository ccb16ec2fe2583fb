import type { DecisionScope } from '@assay/client';
import type { Filters } from '../../filters/filters.ts';
import type { ListedFinding } from './listed-finding.ts';

export type Wider = { key: string; label: string; scope: DecisionScope };

/** All findings that the filters select, instead of single findings. */
export type AllMatching = {
  filters: Filters;
  count: number;
  onDone: () => void;
  /** The scopes of decisions that would apply to the findings, including future ones. */
  scopes?: Wider[];
};

/** Names of folders whose code is not what is delivered, in any repository. */
const setApart = /^(__tests__|tests?|testdata|specs?|e2e|examples?|samples?|fixtures|docs?|benchmarks?)$/i;

/** The scopes around a single finding, the narrowest first, each with its key; none for several findings. */
export function widerScopes([finding, ...others]: readonly ListedFinding[]): Wider[] {
  if (!finding || others.length > 0) return [];
  const { rule, location, data_source, identifiers } = finding;
  const here = { data_source: [data_source.id] };
  const purl = location.package?.purl?.replace(/[@?#].*$/, '');
  if (purl) {
    const [advisory] = identifiers;
    const about = { package: [purl], ...(advisory ? { identifier: [advisory] } : { rule: [rule.id] }) };
    const name = `${advisory ?? 'This rule'} in ${location.package!.name}`;
    return [
      { key: 'd', label: `${name}, in ${data_source.name}`, scope: { ...about, ...here } },
      { key: 'e', label: `${name}, everywhere`, scope: about },
      ...(advisory ? [{ key: 'a', label: `${advisory} in all packages`, scope: { identifier: [advisory] } }] : []),
    ];
  }
  const folder = location.path?.includes('/') ? location.path.slice(0, location.path.lastIndexOf('/')) : null;
  const about = { rule: [rule.id] };
  const apart = folder?.split('/').find((name) => setApart.test(name));
  return [
    ...(folder === null
      ? []
      : [{ key: 'f', label: `This rule in ${folder}/`, scope: { ...about, path: [`${folder}/**`], ...here } }]),
    { key: 'd', label: `This rule in ${data_source.name}`, scope: { ...about, ...here } },
    ...(apart === undefined
      ? []
      : [{ key: 't', label: `This rule in all ${apart}/ folders`, scope: { ...about, path: [`**/${apart}/**`] } }]),
    { key: 'e', label: 'This rule everywhere', scope: about },
  ];
}
