import Type from 'typebox';

/** The job that runs a bulk operation or its undo. */
export const operationJobType = {
  name: 'update-findings',
  schema: Type.Object({ org_id: Type.String(), operation_id: Type.String() }),
};

/** At most one job per operation waits. */
export const operationKey = (orgId: string, id: string) => `update-findings:${orgId}:${id}`;
