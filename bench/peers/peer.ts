/** A platform that is asked the same questions as others. Each call is one action of a program that uses it. */
export type Peer = {
  name: string;
  /** Imports a SARIF file as something new, and resolves when all its findings are listed. */
  importFile(sarif: Blob, results: number): Promise<void>;
  /** Returns the ids of a page of 50 findings of that import, by severity and status; pages count from 0. */
  listPage(page: number): Promise<string[]>;
  /** Changes one finding. */
  change(id: string): Promise<void>;
  /** Returns the size of all findings of that import as CSV; null where the platform can't be asked for it. */
  exportCsv(): Promise<number | null>;
  /** Deletes what was imported. */
  remove(): Promise<void>;
};

export type Access = { address: string; token: string };

/** Sends a request and returns its response. Throws when it failed, with what the platform says of it. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const text = (await response.text()).slice(0, 500);
  throw new Error(`${init.method ?? 'GET'} ${new URL(url).pathname}: ${response.status} ${text}`);
}
