import type { FindingListParams, ScanListParams } from '@assay/client';

const hourMs = 3_600_000;

/** Returns the number of days in an address: 30 unless it says 90. */
export const daysOf = (text: string | undefined): number => (text === '90' ? 90 : 30);

/** The questions that the overview answers. */
export const views = [
  { id: 'needs', label: 'Needs you' },
  { id: 'changed', label: 'What changed' },
  { id: 'stand', label: 'How we stand' },
] as const;

type View = (typeof views)[number]['id'];

export const viewOf = (text: string | null | undefined): View | undefined => views.find(({ id }) => id === text)?.id;

const viewKey = 'assay.overview';
export const lastView = (): View => viewOf(localStorage.getItem(viewKey)) ?? 'needs';
export const rememberView = (view: View): void => localStorage.setItem(viewKey, view);

/** Accepted risks that reopen within 30 days of this hour. */
export const expiringParameters = (now: number): FindingListParams => ({
  status: ['accepted_risk'],
  accepted_until_to: new Date((Math.floor(now / hourMs) + 30 * 24) * hourMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  limit: 10,
});

/** Running, waiting and failed scans. */
export const shownScans: ScanListParams = { status: ['queued', 'running', 'partial', 'failed'], limit: 10 };
