import type { Call, PageCall } from '../call.ts';
import { followEvents, type ServerEvent } from '../events.ts';
import type { RequestOptions, WaitOptions } from '../options.ts';
import type { ScanListParams, ScanTargetListParams } from '../params.ts';
import { pollUntil } from '../poll.ts';
import { Resource } from '../resource.ts';
import type { Scan, ScanTarget } from '../schema.ts';

const isEnded = ({ status, completed_at }: Scan) =>
  completed_at !== null || ['completed', 'partial', 'failed', 'cancelled'].includes(status);

/** Scans and imports. */
export class Scans extends Resource {
  list(params?: ScanListParams, options?: RequestOptions): PageCall<Scan> {
    return this.pages(['scans'], params, options);
  }

  get(id: string, options?: RequestOptions): Call<Scan> {
    return this.call({ method: 'GET', path: ['scans', id] }, options);
  }

  cancel(id: string, options?: RequestOptions): Call<Scan> {
    return this.call({ method: 'POST', path: ['scans', id, 'cancel'] }, options);
  }

  /** Lists the results of the scan for each data source, and why it closed nothing there. */
  targets(id: string, params?: ScanTargetListParams, options?: RequestOptions): PageCall<ScanTarget> {
    return this.pages(['scans', id, 'targets'], params, options);
  }

  /** Yields the scan whenever it changes (`progress`), and finally when it has ended (`end`). */
  events(id: string, options?: RequestOptions): AsyncGenerator<ServerEvent<Scan>> {
    return followEvents(this.transport, ['scans', id, 'events'], 'end', options);
  }

  /** Waits until a scan has ended, with any outcome: see its `status` and `errors`. */
  wait(id: string, options?: WaitOptions): Promise<Scan> {
    return pollUntil(this.transport, () => this.get(id, options), isEnded, options);
  }
}
