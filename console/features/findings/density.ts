import type { Preferences } from '@assay/client';
import { savePreferences } from '../../api/preferences.ts';
import { showError } from '../../ui/toasts.tsx';
import type { RowDensity } from './table.tsx';

const twoLines = 'findings.two_lines';

/** The row height of the list: a preference of the person on all devices. */
export const densityOf = ({ density, custom }: Preferences): RowDensity =>
  custom[twoLines] === true ? 'two_lines' : density;

export const densities: { value: RowDensity; label: string }[] = [
  { value: 'comfortable', label: 'One line' },
  { value: 'compact', label: 'Compact' },
  { value: 'two_lines', label: 'Two lines' },
];

export const nextDensity = (density: RowDensity): RowDensity =>
  densities[(densities.findIndex(({ value }) => value === density) + 1) % densities.length]!.value;

export function saveDensity({ custom }: Preferences, density: RowDensity): void {
  const { [twoLines]: _, ...rest } = custom;
  const change = density === 'two_lines' ? { custom: { ...rest, [twoLines]: true } } : { density, custom: rest };
  savePreferences(change).catch(showError);
}
