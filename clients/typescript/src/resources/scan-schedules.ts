import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { ScanScheduleListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type {
  ScanSchedule,
  ScanScheduleCreation,
  ScanScheduleUpdate,
  TimetablePreview,
  TimetablePreviewRequest,
} from '../schema.ts';

/** Scan schedules: scans at regular times. */
export class ScanSchedules extends Resource {
  list(params?: ScanScheduleListParams, options?: RequestOptions): PageCall<ScanSchedule> {
    return this.pages(['scan-schedules'], params, options);
  }

  create(params: ScanScheduleCreation, options?: RequestOptions): Call<ScanSchedule> {
    return this.call({ method: 'POST', path: ['scan-schedules'], json: params }, options);
  }

  get(id: string, options?: RequestOptions): Call<ScanSchedule> {
    return this.call({ method: 'GET', path: ['scan-schedules', id] }, options);
  }

  update(id: string, params: ScanScheduleUpdate, options?: RequestOptions): Call<ScanSchedule> {
    return this.call({ method: 'PATCH', path: ['scan-schedules', id], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['scan-schedules', id] }, options);
  }

  /** Says when a schedule would run. */
  preview(params: TimetablePreviewRequest, options?: RequestOptions): Call<TimetablePreview> {
    return this.call({ method: 'POST', path: ['scan-schedules', 'preview'], json: params }, options);
  }
}
