import Type from 'typebox';

/** Gives the findings that are assigned to an account to the one that it was joined into. */
export const moveAssignmentsJobType = {
  name: 'move-assignments',
  schema: Type.Object({ org_id: Type.String(), from: Type.String(), into: Type.String() }),
};
