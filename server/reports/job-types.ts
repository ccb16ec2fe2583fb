import Type from 'typebox';

/** The jobs of this slice, without their `run`, so that callers can enqueue them. */
export const snapshotJobType = {
  name: 'take-report-snapshot',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String() }),
};

export const exportJobType = {
  name: 'render-report-export',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String(), format: Type.String() }),
};

/** Keys that make these jobs unique. The sweep for work without a job (0013_reports.sql) builds the same keys. */
export const snapshotKey = (orgId: string, reportId: string) => `take-report-snapshot:${orgId}:${reportId}`;
export const exportKey = (orgId: string, reportId: string, format: string) =>
  `render-report-export:${orgId}:${reportId}:${format}`;
export const deliveryKey = (orgId: string, reportId: string, recipient: string) =>
  `deliver-report:${orgId}:${reportId}:${recipient}`;

/** One mail to one recipient. The delivery itself counts the failed attempts. */
export const deliveryJobType = {
  name: 'deliver-report',
  schema: Type.Object({ org_id: Type.String(), report_id: Type.String(), recipient: Type.String() }),
};
