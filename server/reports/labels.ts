import type { Resolution, Status } from '../findings/lifecycle.ts';
import type { Severity } from '../findings/severity.ts';

/** The only colour of a document besides ink and the severities; 6.6:1 on white. */
export const accentColor = '#1f4fd8';
export const inkColor = '#1a1f2b';
/** The colour of captions, axes and notes; 6:1 on white. */
export const mutedColor = '#5b6472';
export const ruleColor = '#dfe3ea';

/**
 * Colours of the severities for text on white, and for white text on them (at least 4.5:1). The name is always beside
 * the colour.
 */
export const severityColors: Record<Severity, string> = {
  critical: '#7d1135',
  high: '#b93a0b',
  medium: '#946200',
  low: '#2f72a8',
  info: '#667080',
};

/**
 * Colours of the severities for areas (at least 3:1 on white): from warm to cold and, where two touch, from dark to
 * light, so that people with colour blindness can tell them apart. `ink` is for figures on them (at least 4.5:1).
 */
export const severityFills: Record<Severity, { fill: string; ink: string }> = {
  critical: { fill: '#7d1135', ink: '#ffffff' },
  high: { fill: '#c2410c', ink: '#ffffff' },
  medium: { fill: '#cc8400', ink: inkColor },
  low: { fill: '#5590c9', ink: inkColor },
  info: { fill: '#8a95a4', ink: inkColor },
};

export const severityNames: Record<Severity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

export const statusNames: Record<Status, string> = {
  new: 'New',
  triaged: 'Triaged',
  in_progress: 'In progress',
  resolved: 'Resolved',
  false_positive: 'False positive',
  accepted_risk: 'Accepted risk',
};

/** Why a finding was resolved; a finding that a person resolved has no resolution. */
export const resolutionNames: Record<Resolution, string> = {
  fixed: 'No longer found by a scan',
  data_source_removed: 'Data source removed',
};

const kindNames: Record<string, string> = {
  git_repository: 'Git repository',
  website: 'Website',
  host: 'Host',
  container_image: 'Container image',
  upload: 'Uploaded results',
};

/** Returns the display name of a kind of data source. For an unknown kind, it is derived from the kind itself. */
export const kindName = (kind: string): string => kindNames[kind] ?? sentenceCase(kind.replaceAll('_', ' '));

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const number = new Intl.NumberFormat('en-US');
export const formatNumber = (value: number): string => number.format(value);

/** Returns `1 finding` or `1,234 findings`. `plural` is for nouns whose plural does not end in `s`. */
export const count = (value: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(value)} ${value === 1 ? noun : plural}`;

/** Returns a percentage such as `32%`; it is 0 or 100 only when that is exact. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const percent = Math.round((part / whole) * 100);
  if (percent === 0 && part > 0) return 'under 1%';
  return `${percent === 100 && part < whole ? 99 : percent}%`;
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Returns `2026-11-20T12:00:00Z` as `20 November 2026`, in UTC. */
export const formatDay = (moment: string): string => day.format(new Date(moment));

/** Returns `2026-11-20T12:00:00Z` as `20 November 2026, 12:00 UTC`. */
export const formatMoment = (moment: string): string => `${formatDay(moment)}, ${clock.format(new Date(moment))} UTC`;

/** Returns `21 October to 20 November 2026`, without repeating the same year or day. */
export function formatPeriod(period: { from: string; to: string }): string {
  const from = formatDay(period.from);
  const to = formatDay(period.to);
  if (from === to) return to;
  return period.from.slice(0, 4) === period.to.slice(0, 4)
    ? `${dayOfYear.format(new Date(period.from))} to ${to}`
    : `${from} to ${to}`;
}

/** Returns `a`, `a and b` or `a, b and c`. */
export const listed = (parts: string[], conjunction: 'and' | 'or' = 'and'): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`;
