import { followEvents, type ServerEvent } from '../events.ts';
import type { RequestOptions, WaitOptions } from '../options.ts';
import { pollUntil } from '../poll.ts';
import { ScansMethods } from '../resources.ts';
import type { Scan } from '../schema.ts';

const isEnded = ({ status, completed_at }: Scan) =>
  completed_at !== null || ['completed', 'partial', 'failed', 'cancelled'].includes(status);

/** Scans and imports. */
export class Scans extends ScansMethods {
  /** Yields the scan whenever it changes (`progress`), and finally when it has ended (`end`). */
  events(id: string, options?: RequestOptions): AsyncGenerator<ServerEvent<Scan>> {
    return followEvents(this.transport, ['scans', id, 'events'], 'end', options);
  }

  /** Waits until a scan has ended, with any outcome: see its `status` and `errors`. */
  wait(id: string, options?: WaitOptions): Promise<Scan> {
    return pollUntil(this.transport, () => this.get(id, options), isEnded, options);
  }
}
