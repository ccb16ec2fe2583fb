import { after } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, type Finding, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/people.ts';

export const app = await startApplication();
after(() => app.close());
export const owner = await createTenant(app.database, 'Triage');
export const { token, orgId } = owner;
export const analyst = await createTestMember(app.database, orgId, 'analyst');
export const stranger = await createTenant(app.database, 'Strangers');

let places = 0;

/** Creates a data source with findings, like after a first scan. */
export async function createFindings(count: number): Promise<{ dataSourceId: string; scanId: string; ids: string[] }> {
  const dataSourceId = await addDataSource(app, token, `place ${++places}`);
  const detections = Array.from({ length: count }, (_, n) => detectionOf(`f${n}`));
  const scanId = await recordScan(app.database, orgId, dataSourceId, detections);
  const found = await readAll(app, token, `data_source=${dataSourceId}`);
  return { dataSourceId, scanId, ids: found.map((finding) => finding.id) };
}

export const createFinding = async () => (await createFindings(1)).ids[0]!;
export const get = async (path: string) => succeeded(await app.call(token, 'GET', path));
export const patch = (id: string, json: object, headers = {}) =>
  app.call(token, 'PATCH', `/findings/${id}`, { json, headers });
export const patched = async (id: string, json: object): Promise<Finding> => succeeded(await patch(id, json));
export const bulk = (json: object) => app.call(token, 'PATCH', '/findings', { json });
export const refused = async (id: string, json: object) => {
  const { status, body } = await patch(id, json);
  return `${status} ${body.error?.code} ${body.error?.details?.[0]?.field}`;
};
