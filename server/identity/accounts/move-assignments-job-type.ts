import Type from 'typebox';

/** Reassigns the findings of a joined account to the account that it was joined into. */
export const moveAssignmentsJobType = {
  name: 'move-assignments',
  schema: Type.Object({ org_id: Type.String(), from: Type.String(), into: Type.String() }),
};
