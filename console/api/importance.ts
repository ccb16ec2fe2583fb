import type { Criticality, Exposure } from '@assay/client';

/** How much depends on a data source. */
export const criticalityNames: Record<Criticality, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

/** Who can reach it. */
export const exposureNames: Record<Exposure, string> = { internal: 'Internal', public: 'Public' };
