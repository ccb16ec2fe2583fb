import type { PageCall } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { RuleListParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { KnownRule } from '../schema.ts';

/** The rules that findings have. */
export class Rules extends Resource {
  list(params?: RuleListParams, options?: RequestOptions): PageCall<KnownRule> {
    return this.pages(['rules'], params, options);
  }
}
