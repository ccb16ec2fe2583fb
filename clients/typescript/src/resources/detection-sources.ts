import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { DetectionSourceListParams, ScanStartParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { DetectionSource, Scan } from '../schema.ts';

/** Detection sources: the connected scanners. */
export class DetectionSources extends Resource {
  list(params?: DetectionSourceListParams, options?: RequestOptions): PageCall<DetectionSource> {
    return this.pages(['detection-sources'], params, options);
  }

  /** Starts a scan by a detection source, such as `secrets`, of all data sources that it handles or of one. */
  scan(type: string, params?: ScanStartParams, options?: RequestOptions): Call<Scan> {
    return this.call({ method: 'POST', path: ['detection-sources', type, 'scan'], query: params }, options);
  }
}
