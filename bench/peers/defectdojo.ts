import { setTimeout as delay } from 'node:timers/promises';
import { type Access, type Peer, send } from './peer.ts';

const pollMs = 500;
const productType = 'Assay measurements';

/**
 * A DefectDojo, by its API v2. Its CSV comes from its pages for people, which take the cookie of a session instead of a
 * token.
 */
export function createDefectDojo({ address, token, cookie = null }: Access & { cookie?: string | null }): Peer {
  const origin = address.replace(/\/+$/, '');
  const headers = { authorization: `Token ${token}`, accept: 'application/json' };
  let test = 0;
  let product = 0;
  const ask = async (path: string, init: RequestInit = {}) =>
    (await send(`${origin}/api/v2${path}`, { ...init, headers: { ...headers, ...init.headers } })).json();
  return {
    name: 'DefectDojo',
    async importFile(sarif, results) {
      const form = new FormData();
      const fields = {
        scan_type: 'SARIF',
        product_type_name: productType,
        product_name: `peers ${Date.now()}`,
        engagement_name: 'peers',
        auto_create_context: 'true',
        minimum_severity: 'Info',
        active: 'true',
        verified: 'false',
        close_old_findings: 'false',
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', sarif, 'results.sarif');
      const imported = await ask('/import-scan/', { method: 'POST', body: form });
      test = imported.test_id ?? imported.test;
      product = imported.product_id;
      // With asynchronous import, the response comes before the findings.
      for (let count = -1; count < results; ) {
        const before = count;
        count = (await ask(`/findings/?test=${test}&limit=1`)).count;
        if (count < results && count > before) await delay(pollMs);
        else if (count < results) throw new Error(`DefectDojo imported ${count} of ${results} results.`);
      }
    },
    async listPage(page) {
      const filters = `test=${test}&severity=High&active=true`;
      const { results } = await ask(`/findings/?${filters}&limit=50&offset=${page * 50}`);
      return results.map(({ id }: { id: number }) => String(id));
    },
    async change(id) {
      const body = JSON.stringify({ verified: true });
      await ask(`/findings/${id}/`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body });
    },
    async exportCsv() {
      if (cookie === null) return null;
      const response = await send(`${origin}/reports/csv_export?url=/test/${test}`, {
        headers: { cookie, accept: 'text/csv' },
        redirect: 'error',
      });
      return (await response.arrayBuffer()).byteLength;
    },
    async remove() {
      if (product) await send(`${origin}/api/v2/products/${product}/`, { method: 'DELETE', headers });
    },
  };
}
