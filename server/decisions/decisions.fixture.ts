import assert from 'node:assert/strict';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import type { Application } from '../../tests/harness/application.ts';
import { addDataSource, type Finding, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { decisionJobs } from './jobs.ts';

/** Creates an organization with a data source, and functions that scan it and decide about its findings. */
export async function createPlace(app: Application, name = 'Decided') {
  const owner = await createTenant(app.database, name);
  const call = (method: string, path: string, json?: object, { token }: Person = owner) =>
    app.call(token, method, path, json && { json });
  const dataSourceId = await addDataSource(app, owner.token, 'first');
  const findings = (query = ''): Promise<Finding[]> => readAll(app, owner.token, query);
  const follow = (id: string) =>
    decisionJobs[0]!.run({ org_id: owner.orgId, decision_id: id, user_id: owner.userId }, { database: app.database });
  return {
    owner,
    call,
    dataSourceId,
    findings,
    follow,
    scan: (detections: Detection[], place = dataSourceId, source = 'code') =>
      recordScan(app.database, owner.orgId, place, detections, { source }),
    /** Makes a decision and applies it to existing findings in the same way as the worker. */
    async decide(json: object): Promise<Finding> {
      const decision = succeeded(
        await call('POST', '/decisions', { outcome: 'false_positive', reason: 'Why.', ...json }),
      );
      await follow(decision.id);
      return decision;
    },
    async withdraw(id: string) {
      assert.equal((await call('DELETE', `/decisions/${id}`)).status, 204);
    },
    patch: async (id: string, json: object) => succeeded(await call('PATCH', `/findings/${id}`, json)),
    count: async (status: string) => (await findings(`status=${status}`)).length,
    async history(id: string): Promise<Finding[]> {
      return succeeded(await call('GET', `/findings/${id}/history`)).data;
    },
  };
}

/** A detection of the rule `injection` at a path. */
export const at = (key: string, path: string, changes: Partial<Detection> = {}) => {
  const base = detectionOf(key);
  const location = { ...base.location, path, ...changes.location };
  const rule = { id: 'injection', name: 'Injection', url: null };
  return detectionOf(key, { rule, places: [{ ...base.places[0]!, path }], ...changes, location });
};
