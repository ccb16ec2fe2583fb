import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Resolution, Status } from '../findings/lifecycle.ts';

/** The only color of a document besides ink and the severities, unless the report has its own; 6:1 on white. */
export const accentColor = '#0b6e6e';
export const inkColor = '#14171c';
/** The color of captions, axes and notes; 6.6:1 on white. */
export const mutedColor = '#545d6b';
export const ruleColor = '#dfe3ea';

/**
 * Colors of the severities for text on white, and for white text on them (at least 5.4:1). The name is always beside
 * the color.
 */
export const severityColors: Record<Severity, string> = {
  critical: '#680c32',
  high: '#a5401c',
  medium: '#7a5600',
  low: '#2b57b8',
  info: '#56606e',
};

/**
 * Colors of the severities for areas (at least 3.3:1 on white), as in the console: people with color blindness can
 * distinguish them. `ink` is for figures on them.
 */
export const severityFills: Record<Severity, { fill: string; ink: string }> = {
  critical: { fill: '#680c32', ink: '#ffffff' },
  high: { fill: '#a5401c', ink: '#ffffff' },
  medium: { fill: '#b88200', ink: inkColor },
  low: { fill: '#3463cb', ink: '#ffffff' },
  info: { fill: '#7f8791', ink: inkColor },
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
