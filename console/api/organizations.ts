import { assay } from './client.ts';

/** Makes another of one's organizations the one that this session works in. */
export const switchOrganization = (id: string) => assay.profile.update({ organization_id: id });
