import { queryOptions } from '@tanstack/react-query';
import { assay } from './client.ts';
import { openParameters } from './summary-parameters.ts';

/** The default number of days in the overview's series. */
const usualDays = 30;

/**
 * The numbers of open findings, and of findings opened and closed on each of the last days. Navigation and overview
 * share them: counting is the slowest request of most pages.
 */
export const openFindingsQuery = (days = usualDays) =>
  queryOptions({
    queryKey: ['findings', 'summary', 'open', days],
    queryFn: ({ signal }) => assay.findings.summary(openParameters(days), { signal }),
  });
