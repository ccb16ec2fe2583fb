import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => assay.organization.get({ signal }),
});
