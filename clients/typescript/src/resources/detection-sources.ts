import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { DetectionSourceListParams, ScanStartParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { DetectionSource, Scan } from '../schema.ts';

/** Detection sources: the scanners that are connected. */
export class DetectionSources extends Resource {
  list(params?: DetectionSourceListParams, options?: RequestOptions): PageCall<DetectionSource> {
    return this.pages(['detection-sources'], params, options);
  }

  /** Starts a scan of a type, such as `secrets`: of all that the type handles, or of one data source. */
  scan(type: string, params?: ScanStartParams, options?: RequestOptions): Call<Scan> {
    return this.call({ method: 'POST', path: ['detection-sources', type, 'scan'], query: params }, options);
  }
}
