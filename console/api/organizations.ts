import { callAuth } from './sign-in.ts';

/** Makes another of one's organizations the one that this session works in. */
export const switchOrganization = (id: string) => callAuth('switch-organization', { organization_id: id });
