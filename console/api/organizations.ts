import { callProfile } from './call.ts';

/** Switches this session to another of the person's organizations. */
export const switchOrganization = (id: string) => callProfile<unknown>('PATCH', '', { organization_id: id });
