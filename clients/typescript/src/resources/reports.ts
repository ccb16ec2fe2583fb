import type { WaitOptions } from '../options.ts';
import { pollUntil } from '../poll.ts';
import { ReportsMethods } from '../resources.ts';
import type { Report } from '../schema.ts';

/** Reports: snapshots of findings, in any format. */
export class Reports extends ReportsMethods {
  /** Waits until a report is ready or has failed: see its `status` and `error`. */
  wait(id: string, options?: WaitOptions): Promise<Report> {
    return pollUntil(
      this.transport,
      () => this.get(id, options),
      ({ status }) => status !== 'pending',
      options,
    );
  }
}
