import { percentile, type Row } from '../measure.ts';
import type { Peer } from './peer.ts';

export type PeerQuestions = { results: number; sarif: Blob; pages: number; changes: number };

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1_000;
}

const median = (values: number[]) => percentile(values, 0.5);

/** Asks a platform all questions, and removes what it imported. */
export async function measurePeer(peer: Peer, { results, sarif, pages, changes }: PeerQuestions): Promise<Row[]> {
  const row = (question: string, value: number, unit: string): Row => ({
    question: `${peer.name}: ${question}`,
    value,
    unit,
    bound: null,
  });
  try {
    const imported = await secondsOf(() => peer.importFile(sarif, results));
    const listed: number[] = [];
    let ids: string[] = [];
    for (let page = 0; page < pages; page += 1) {
      listed.push(
        await secondsOf(async () => {
          ids = [...ids, ...(await peer.listPage(page))];
        }),
      );
    }
    if (ids.length === 0 || new Set(ids).size !== ids.length)
      throw new Error(`${peer.name} listed ${ids.length} findings, of which ${new Set(ids).size} differ.`);
    const changed: number[] = [];
    for (const id of ids.slice(0, changes)) changed.push(await secondsOf(() => peer.change(id)));
    let bytes: number | null = null;
    const exported = await secondsOf(async () => {
      bytes = await peer.exportCsv();
    });
    return [
      row(`import of ${results} results`, imported, 's'),
      row('a page of 50 with two filters', median(listed) * 1_000, 'ms'),
      row('a change of one finding', median(changed) * 1_000, 'ms'),
      ...(bytes === null ? [] : [row(`CSV of ${results} findings`, exported, 's')]),
    ];
  } finally {
    await peer.remove();
  }
}
