import type { Call, PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { ViewListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { View, ViewCreation, ViewUpdate } from '../schema.ts';

/** Saved views of the list of findings: filters, order and columns. */
export class Views extends Resource {
  list(params?: ViewListParams, options?: RequestOptions): PageCall<View> {
    return this.pages(['views'], params, options);
  }

  create(params: ViewCreation, options?: RequestOptions): Call<View> {
    return this.call({ method: 'POST', path: ['views'], json: params }, options);
  }

  update(id: string, params: ViewUpdate, options?: RequestOptions): Call<View> {
    return this.call({ method: 'PATCH', path: ['views', id], json: params }, options);
  }

  delete(id: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['views', id] }, options);
  }
}
