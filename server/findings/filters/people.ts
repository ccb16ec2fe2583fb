import type { Db } from '../../platform/postgres/database.ts';
import { findPersonId } from '../triage-queries.ts';

/** The control of a filter with people as values. */
export const personControl = {
  kind: 'choice' as const,
  values: [
    { value: 'me', label: { en: 'Me', de: 'Ich' } },
    { value: 'none', label: { en: 'Nobody', de: 'Niemand' } },
  ],
  names: 'person' as const,
};

/** Returns the id of the person with this address; `none` and other texts are returned unchanged. */
export async function findPerson(db: Db, orgId: string, text: string): Promise<string> {
  // Findings keep an assignee who has left, so the address in the list works as a filter, too.
  return text.includes('@') ? ((await findPersonId(db, orgId, text)) ?? text) : text;
}

/** Replaces `me` with the caller's id. */
export const readMe = (text: string, userId: string | null): string => (text === 'me' ? (userId ?? text) : text);
