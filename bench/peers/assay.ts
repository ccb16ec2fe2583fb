import { setTimeout as delay } from 'node:timers/promises';
import { type Access, type Peer, send } from './peer.ts';

const pollMs = 20;

/** An Assay, as API and workers run it elsewhere. The token must be allowed to write, with a raised rate limit. */
export function createAssay({ address, token }: Access): Peer {
  const prefix = `${address.replace(/\/+$/, '')}/api/v1`;
  const headers = { authorization: `Bearer ${token}` };
  let dataSource = '';
  let cursor: string | null = null;
  const ask = async (path: string, init: RequestInit = {}) =>
    (await send(`${prefix}${path}`, { ...init, headers: { ...headers, ...init.headers } })).json();
  const json = { 'content-type': 'application/json' };
  return {
    name: 'Assay',
    async importFile(sarif, results) {
      const body = JSON.stringify({ kind: 'upload', name: `peers ${Date.now()}` });
      dataSource = (await ask('/data-sources', { method: 'POST', headers: json, body })).id;
      const path = `/data-sources/${dataSource}/imports`;
      let scan = await ask(path, { method: 'POST', headers: json, body: sarif });
      while (scan.completed_at === null) {
        await delay(pollMs);
        scan = await ask(`/scans/${scan.id}`);
      }
      if (scan.status !== 'completed' || scan.findings.new !== results)
        throw new Error(`Assay imported ${scan.findings.new} of ${results} results: ${JSON.stringify(scan.errors)}`);
    },
    async listPage(page) {
      const next = page > 0 && cursor !== null ? `&next_cursor=${cursor}` : '';
      const filters = `data_source=${dataSource}&severity=high&status=new,triaged`;
      const { data, next_cursor: following } = await ask(`/findings?${filters}&limit=50${next}`);
      cursor = following;
      return data.map(({ id }: { id: string }) => id);
    },
    async change(id) {
      await ask(`/findings/${id}`, { method: 'PATCH', headers: json, body: JSON.stringify({ status: 'triaged' }) });
    },
    async exportCsv() {
      const response = await send(`${prefix}/findings/export?format=csv&data_source=${dataSource}`, { headers });
      return (await response.arrayBuffer()).byteLength;
    },
    async remove() {
      if (dataSource) await send(`${prefix}/data-sources/${dataSource}`, { method: 'DELETE', headers });
    },
  };
}
