import { assay } from './client.ts';

/** Whether the organization has neither a data source nor a finding. False if that can't be read. */
export async function isEmptyOrganization(): Promise<boolean> {
  try {
    const [sources, findings] = await Promise.all([
      assay.dataSources.list({ limit: 1 }),
      assay.findings.list({ fields: ['id'], limit: 1 }),
    ]);
    return sources.data.length === 0 && findings.data.length === 0;
  } catch {
    return false;
  }
}
