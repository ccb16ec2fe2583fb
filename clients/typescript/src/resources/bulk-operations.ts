import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { BulkOperationListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { BulkOperation } from '../schema.ts';

/** Changes of many findings at once, which can be undone for a while. */
export class BulkOperations extends Resource {
  /** Undoes the changes, except on findings that were changed since. */
  undo(id: string, options?: RequestOptions): Call<BulkOperation> {
    return this.call({ method: 'POST', path: ['bulk-operations', id, 'undo'] }, options);
  }

  get(id: string, options?: RequestOptions): Call<BulkOperation> {
    return this.call({ method: 'GET', path: ['bulk-operations', id] }, options);
  }

  list(params?: BulkOperationListParams, options?: RequestOptions): PageCall<BulkOperation> {
    return this.pages(['bulk-operations'], params, options);
  }
}
