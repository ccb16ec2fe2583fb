import type { FilterInput } from '../../findings/filters/table.ts';
import { findingUrl } from '../../findings/finding-schema.ts';
import type { ReportFinding } from '../report-model.ts';

const dayMs = 86_400_000;

/**
 * Returns the whole days from the first sighting of a finding until its closing, or until `now` (milliseconds) if it is
 * open.
 */
export function ageDays({ first_seen_at, closed_at }: ReportFinding, now: number): number {
  const end = closed_at === null ? now : Date.parse(closed_at);
  return Math.max(0, Math.floor((end - Date.parse(first_seen_at)) / dayMs));
}

const startingWith =
  (prefix: string) =>
  ({ identifiers }: ReportFinding): string[] =>
    identifiers.filter((identifier) => identifier.startsWith(prefix));

export const cwesOf = startingWith('CWE-');
export const cvesOf = startingWith('CVE-');

/** Returns who closed a finding: a person's name, or `Assay` for a scan; empty if it is open or not recorded. */
export const closedBy = ({ closed_at, closed }: ReportFinding): string =>
  closed_at === null || !closed ? '' : (closed.by ?? 'Assay');

/** Returns the reason for closing a finding: the comment with the decision, or else the resolution. */
export const closedReason = ({ closed_at, closed, resolution }: ReportFinding): string =>
  closed_at === null ? '' : (closed?.reason ?? resolution ?? '');

/** Returns the console page of a finding; null if the URL of the console is unknown. */
export const consoleUrl = (baseUrl: string | null | undefined, id: string): string | null =>
  baseUrl ? findingUrl(baseUrl, id) : null;

/** Returns the console's list of findings with these filters; null if the URL of the console is unknown. */
export function listUrl(baseUrl: string | null | undefined, filters: FilterInput): string | null {
  if (!baseUrl) return null;
  const parameters = Object.entries(filters).map(([name, given]) => [name, [given].flat().join(',')]);
  return `${new URL(baseUrl).origin}/findings?${new URLSearchParams(parameters)}`;
}
