import type { FilterInput } from '../../findings/filters/table.ts';
import { findingUrl } from '../../findings/finding-schema.ts';
import type { ReportFinding } from '../report-model.ts';

const dayMs = 86_400_000;

/** Returns the whole days from the first sighting of a finding until it was closed, or else until `now` (milliseconds). */
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

/** Returns who closed a finding: a person's name, or `Assay` for a scan; empty when it is open or not recorded. */
export const closedBy = ({ closed_at, closed }: ReportFinding): string =>
  closed_at === null || !closed ? '' : (closed.by ?? 'Assay');

/** Returns why a finding was closed: the comment with the decision, or else why it was resolved. */
export const closedReason = ({ closed_at, closed, resolution }: ReportFinding): string =>
  closed_at === null ? '' : (closed?.reason ?? resolution ?? '');

/** Returns the page of a finding in the console; null when the URL of the console is not known. */
export const consoleUrl = (baseUrl: string | null | undefined, id: string): string | null =>
  baseUrl ? findingUrl(baseUrl, id) : null;

/** Returns the list of the findings with these filters in the console; null when the URL of the console is not known. */
export function listUrl(baseUrl: string | null | undefined, filters: FilterInput): string | null {
  if (!baseUrl) return null;
  const parameters = Object.entries(filters).map(([name, given]) => [name, [given].flat().join(',')]);
  return `${new URL(baseUrl).origin}/findings?${new URLSearchParams(parameters)}`;
}
