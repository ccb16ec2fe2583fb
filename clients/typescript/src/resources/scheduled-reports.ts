import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { ReportDeliveryListParams, ScheduledReportListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { ReportDelivery, ScheduledReport, ScheduledReportCreation, ScheduledReportUpdate } from '../schema.ts';

/** Scheduled reports: reports that are created and mailed at regular times. */
export class ScheduledReports extends Resource {
  list(params?: ScheduledReportListParams, options?: RequestOptions): PageCall<ScheduledReport> {
    return this.pages(['scheduled-reports'], params, options);
  }

  create(params: ScheduledReportCreation, options?: RequestOptions): Call<ScheduledReport> {
    return this.call({ method: 'POST', path: ['scheduled-reports'], json: params }, options);
  }

  get(id: string, options?: RequestOptions): Call<ScheduledReport> {
    return this.call({ method: 'GET', path: ['scheduled-reports', id] }, options);
  }

  update(id: string, params: ScheduledReportUpdate, options?: RequestOptions): Call<ScheduledReport> {
    return this.call({ method: 'PATCH', path: ['scheduled-reports', id], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['scheduled-reports', id] }, options);
  }

  /** Lists the mails of the reports that it created, those of the newest first. */
  deliveries(id: string, params?: ReportDeliveryListParams, options?: RequestOptions): PageCall<ReportDelivery> {
    return this.pages(['scheduled-reports', id, 'deliveries'], params, options);
  }
}
