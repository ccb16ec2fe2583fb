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

/** Returns the id of a person, `none`, or the text that was given when it is nobody's address. */
export async function findPerson(db: Db, orgId: string, text: string): Promise<string> {
  // Findings keep the assignee who has left: the address in the list is a filter, too.
  return text.includes('@') ? ((await findPersonId(db, orgId, text)) ?? text) : text;
}

/** Returns the value with the caller's id for `me`. */
export const readMe = (text: string, userId: string | null): string => (text === 'me' ? (userId ?? text) : text);
