import type { Criticality, Exposure } from '@assay/client';

/** Names of the criticality of a data source. */
export const criticalityNames: Record<Criticality, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

/** Names of the exposure of a data source. */
export const exposureNames: Record<Exposure, string> = { internal: 'Internal', public: 'Public' };
