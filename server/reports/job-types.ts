import Type from 'typebox';

/** The jobs of this slice as they are asked for; what they do stands with their `run`. */
export const snapshotJobType = {
  name: 'take-report-snapshot',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String() }),
};

export const exportJobType = {
  name: 'render-report-export',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String(), format: Type.String() }),
};

/** One mail to one recipient. It counts its attempts itself; what fails before it begins (no database) is not one of them. */
export const deliveryJobType = {
  name: 'deliver-report',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String(), recipient: Type.String() }),
};
