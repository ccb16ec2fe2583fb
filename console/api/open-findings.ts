import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';
import { openParameters } from './summary-parameters.ts';

/** The days of the series that the overview shows unless another length is chosen. */
const usualDays = 30;

/**
 * The figures of the open findings, with what opened and closed on each of the last days. Navigation and overview share
 * them: counting is the slowest request of most pages.
 */
export const openFindingsQuery = (days = usualDays) =>
  queryOptions({
    queryKey: ['findings', 'summary', 'open', days],
    queryFn: ({ signal }) => assay.findings.summary(openParameters(days), { signal }),
  });
