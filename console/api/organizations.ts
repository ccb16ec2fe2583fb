import { assay } from './client.ts';

/** Switches this session to another of the person's organizations. */
export const switchOrganization = (id: string) => assay.profile.update({ organization_id: id });
