import Type, { type Static } from 'typebox';
import { findMemberId } from '../organization/queries.ts';
import { invalid } from '../platform/errors.ts';
import { email, enumeration, idOf, nullable } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import { foldTags, TagName } from './tags.ts';

/** The criticalities of a data source, lowest first. */
export const criticalities = ['low', 'medium', 'high', 'critical'] as const;
export type Criticality = (typeof criticalities)[number];
const exposures = ['internal', 'public'] as const;
export type Exposure = (typeof exposures)[number];

/** A data source's owner, tags, criticality and exposure, as stored. */
export type Importance = { tags: string[]; owner_id: string | null; criticality: Criticality; exposure: Exposure };

const Criticality = enumeration(criticalities, {
  $id: 'Criticality',
  description:
    'The importance of the data source: a `critical` one makes its findings more urgent. `medium` by default.',
});
const Exposure = enumeration(exposures, {
  $id: 'Exposure',
  description: 'Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).',
});

/** The members of a body that creates or changes a data source. */
export const importanceInput = {
  tags: Type.Optional(
    Type.Array(TagName, {
      $id: 'DataSourceTags',
      maxItems: 50,
      description:
        'Tags to group data sources by. They replace the existing tags; duplicates are removed, ignoring case.',
    }),
  ),
  owner: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 320 }), {
      $id: 'DataSourceOwnerInput',
      description: 'The person responsible: id or email address of a member; null for nobody.',
    }),
  ),
  criticality: Type.Optional(Criticality),
  exposure: Type.Optional(Exposure),
};
const input = Type.Object(importanceInput);
export type ImportanceInput = Static<typeof input>;

/** The members of a data source. */
export const importanceProperties = {
  tags: Type.Array(Type.String(), { description: 'Tags to group data sources by.' }),
  owner: nullable(
    Type.Object(
      { id: idOf('usr'), name: Type.String({ description: 'Display name.' }), email: email() },
      { $id: 'DataSourceOwner' },
    ),
    { description: 'The person responsible for it.' },
  ),
  criticality: Criticality,
  exposure: Exposure,
};

export const defaultImportance: Importance = {
  tags: [],
  owner_id: null,
  criticality: 'medium',
  exposure: 'internal',
};

/** Returns the importance with the given members changed. Throws 400 for an owner who is not a member. */
export async function readImportance(
  tx: Db,
  orgId: string,
  before: Importance,
  { tags, owner, criticality, exposure }: ImportanceInput,
): Promise<Importance> {
  const owner_id = typeof owner === 'string' ? await findMemberId(tx, orgId, owner) : owner;
  if (owner_id === undefined && owner !== undefined)
    throw invalid('body', 'owner', 'must be the id or email address of a member of this organization, or null');
  return {
    tags: tags ? foldTags(tags) : before.tags,
    owner_id: owner_id === undefined ? before.owner_id : owner_id,
    criticality: criticality ?? before.criticality,
    exposure: exposure ?? before.exposure,
  };
}

/** The members as the audit log stores them. */
export const auditedImportance = ({ tags, owner_id, criticality, exposure }: Importance) => ({
  tags,
  owner: owner_id,
  criticality,
  exposure,
});
