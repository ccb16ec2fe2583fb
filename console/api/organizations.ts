import { callProfile } from './call.ts';

/** Makes another of one's organizations the one that this session works in. */
export const switchOrganization = (id: string) => callProfile<unknown>('PATCH', '', { organization_id: id });
