import type { TimelineEntry } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { memberChoicesQuery } from '../../api/pickers.ts';
import { rowOf } from '../../filters/table.ts';
import { formatDay } from '../../ui/time.tsx';
import { endReasons, severityNames, statusNames } from './words.ts';

/** The fields of a finding that can change but are not filters of the list. */
const changedNames: Record<string, string> = {
  tags: 'Tags',
  title: 'Title',
  package_version: 'Version',
  resolution: 'Resolution',
  accepted_until: 'Accepted until',
  decision: 'Decision',
  decision_ended_because: 'It ended because',
  scanner_severity: 'Scanner severity',
};

const valueNames: Record<string, Record<string, string>> = {
  severity: severityNames,
  scanner_severity: severityNames,
  status: statusNames,
  resolution: { fixed: 'Fixed', data_source_removed: 'Data source removed' },
  decision_ended_because: {
    withdrawn: 'it was withdrawn',
    expired: 'it expired',
    ...endReasons,
  },
};

export const changedField = (field: string): string => changedNames[field] ?? rowOf(field)?.label ?? field;

type Change = Pick<TimelineEntry, 'actor' | 'changes'>;

/** Whether these are the changes of the first sighting, which have no previous values. */
export const isFirstSighting = ({ changes }: Pick<Change, 'changes'>): boolean =>
  changes.some(({ field, from }) => field === 'status' && from === null);

/**
 * Returns a function that formats a value of a changed field. It names an assignee who is a member or made one of the
 * changes.
 */
export function useChangedValue(changes: readonly Change[]): (field: string, value: unknown) => string {
  const enabled = changes.some((change) => change.changes.some(({ field }) => field === 'assignee'));
  const members = useQuery({ ...memberChoicesQuery, enabled });
  const names = new Map(
    [...changes.map(({ actor }) => actor), ...(members.data ?? [])].map(({ id, name }) => [id, name]),
  );
  return (field, value) => {
    if (field === 'assignee') {
      if (value === null) return 'nobody';
      return names.get(String(value)) ?? (members.isPending ? '…' : 'a former member');
    }
    if (value === null || value === undefined || value === '') return 'nothing';
    if (field === 'decision') return 'a decision';
    if (field === 'accepted_until') return formatDay(String(value));
    if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
    return valueNames[field]?.[String(value)] ?? String(value);
  };
}
