import type { PageCall } from '../call.ts';
import { followFindings } from '../follow.ts';
import type { RequestOptions } from '../options.ts';
import type { FindingFollowParams, FindingListParams } from '../params.ts';
import { FindingsMethods } from '../resources.ts';
import type { Finding, FindingField } from '../schema.ts';

/** Findings: one lasting record per problem. */
export class Findings extends FindingsMethods {
  /** Lists findings. With `fields`, each has only these fields and its `id`. */
  override list<const Field extends FindingField>(
    params: FindingListParams & { fields: readonly Field[] },
    options?: RequestOptions,
  ): PageCall<Pick<Finding, Field | 'id'>>;
  /** Lists complete findings. */
  override list(params?: FindingListParams, options?: RequestOptions): PageCall<Finding>;
  override list(params?: FindingListParams, options?: RequestOptions): PageCall<Finding> {
    return super.list(params, options);
  }

  /**
   * Yields every finding that changes, from `since` on and indefinitely, each in its new state. It misses none. Keep
   * the `updated_at` of the last finding that you have processed, and pass it as `since` to resume there; findings of
   * that same second are yielded again. It continues for as long as the service is unavailable, regardless of
   * `maxRetries`. Leaving the loop, aborting the signal or a permanent error, such as a revoked token, ends it.
   */
  follow(
    since: string | Date,
    params?: FindingFollowParams,
    options?: RequestOptions & { /** Between two looks for news: 10,000 by default. */ pollIntervalMs?: number },
  ): AsyncGenerator<Finding> {
    const load = (query: object) => this.list(query, { ...options, maxRetries: Number.POSITIVE_INFINITY });
    return followFindings(this.transport, load, since, params, options);
  }
}
