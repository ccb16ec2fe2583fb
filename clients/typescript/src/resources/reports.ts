import type { Call, PageCall } from '../call.ts';
import type { Content } from '../content.ts';
import { download } from '../download.ts';
import type { RequestOptions, WaitOptions } from '../options.ts';
import type { ReportExportParams, ReportListParams } from '../params.ts';
import { pollUntil } from '../poll.ts';
import { Resource } from '../resource.ts';
import type { Report, ReportCreation } from '../schema.ts';

/** Reports: the findings at one moment, in any format. */
export class Reports extends Resource {
  list(params?: ReportListParams, options?: RequestOptions): PageCall<Report> {
    return this.pages(['reports'], params, options);
  }

  create(params: ReportCreation = {}, options?: RequestOptions): Call<Report> {
    return this.call({ method: 'POST', path: ['reports'], json: params }, options);
  }

  get(id: string, options?: RequestOptions): Call<Report> {
    return this.call({ method: 'GET', path: ['reports', id] }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['reports', id] }, options);
  }

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
