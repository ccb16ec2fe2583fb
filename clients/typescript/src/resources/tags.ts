import type { PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { TagListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { KnownTag } from '../schema.ts';

/** The tags that findings have. */
export class Tags extends Resource {
  list(params?: TagListParams, options?: RequestOptions): PageCall<KnownTag> {
    return this.pages(['tags'], params, options);
  }
}
