import type { Content } from '../content.ts';
import { download } from '../download.ts';
import type { RequestOptions, WaitOptions } from '../options.ts';
import type { ReportExportParams } from '../params.ts';
import { pollUntil } from '../poll.ts';
import { ReportsMethods } from '../resources.ts';
import type { Report } from '../schema.ts';

/** Reports: the findings at one moment, in any format. */
export class Reports extends ReportsMethods {
  /** Exports a report that is ready. The file is a stream: save it, pipe it, or read its bytes. */
  async export(id: string, params: ReportExportParams, options?: RequestOptions): Promise<Content> {
    return download(this.transport, ['reports', id, 'export'], params, options);
  }

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
