import { findPerson } from '../../findings/filters/people.ts';
import type { FilterInput } from '../../findings/filters/table.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type Names, nameSources, valuesNamedAs } from '../describe-filters.ts';
import { findNames } from './head-queries.ts';

type Named = {
  /** The id of the person that `me` stands for. */
  author: string | null;
  /** The types of further detection sources. */
  types: Iterable<string>;
  dataSources: ReadonlyArray<{ id: string; name: string }>;
};

/** Looks up the names of the organization, of the author, and of everything that filters contain by id. */
export async function nameFilters(tx: Db, orgId: string, input: FilterInput, { author, types, dataSources }: Named) {
  const given = valuesNamedAs('person', input).map(
    async (value) => [value, await findPerson(tx, orgId, value)] as const,
  );
  const people = new Map(await Promise.all(given));
  if (author !== null) people.set('me', author).set(author, author);
  const { organization, users } = await findNames(tx, orgId, [...people.values()]);
  const allTypes = new Set([...types, ...valuesNamedAs('detection_source', input)]);
  const names: Names = {
    sources: await nameSources(tx, orgId, [...allTypes].sort()),
    dataSources: new Map(dataSources.map(({ id, name }) => [id, name])),
    users: new Map([...people].flatMap(([value, id]) => (users.has(id) ? [[value, users.get(id)!] as const] : []))),
  };
  return { organization, author: author === null ? null : (users.get(author) ?? ''), names };
}
