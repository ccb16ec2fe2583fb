import type { Call, PageCall } from '../call.ts';
import type { Content } from '../content.ts';
import { download } from '../download.ts';
import { followFindings } from '../follow.ts';
import type { RequestOptions } from '../options.ts';
import type {
  FindingCommentListParams,
  FindingExportParams,
  FindingFacetsParams,
  FindingFollowParams,
  FindingGroupListParams,
  FindingHistoryParams,
  FindingListParams,
  FindingSummaryParams,
  FindingTimelineParams,
} from '../params.ts';
import { Resource } from '../resource.ts';
import type {
  Finding,
  FindingBulkUpdate,
  FindingBulkUpdateResult,
  FindingChange,
  FindingComment,
  FindingCommentCreation,
  FindingCommentUpdate,
  FindingDetail,
  FindingFacets,
  FindingGroup,
  FindingSummary,
  FindingUpdate,
  TimelineEntry,
} from '../schema.ts';

/** Findings: one lasting record per problem. */
export class Findings extends Resource {
  list(params?: FindingListParams, options?: RequestOptions): PageCall<Finding> {
    return this.pages(['findings'], params, options);
  }

  /** Exports all findings that the filters select. The file is a stream: save it, pipe it, or read its bytes. */
  async export(params: FindingExportParams, options?: RequestOptions): Promise<Content> {
    return download(this.transport, ['findings', 'export'], params, options);
  }

  get(id: string, options?: RequestOptions): Call<FindingDetail> {
    return this.call({ method: 'GET', path: ['findings', id] }, options);
  }

  /** Updates a finding: all of the given fields or none. */
  update(id: string, params: FindingUpdate, options?: RequestOptions): Call<FindingDetail> {
    // A comment that is sent twice is added twice.
    const repeatable = params.comment === undefined;
    return this.call({ method: 'PATCH', path: ['findings', id], json: params, repeatable }, options);
  }

  /** Updates many findings, by their ids or by a filter, in one transaction. */
  updateMany(params: FindingBulkUpdate, options?: RequestOptions): Call<FindingBulkUpdateResult> {
    return this.call({ method: 'PATCH', path: ['findings'], json: params, takesKey: true }, options);
  }

  /** Returns counts for dashboards, with the same filters as the list. */
  summary(params?: FindingSummaryParams, options?: RequestOptions): Call<FindingSummary> {
    return this.call({ method: 'GET', path: ['findings', 'summary'], query: params }, options);
  }

  /** Counts the findings with each value of a field, under the list's filters except the field's own. */
  facets(params: FindingFacetsParams, options?: RequestOptions): Call<FindingFacets> {
    return this.call({ method: 'GET', path: ['findings', 'facets'], query: params }, options);
  }

  comment(id: string, params: FindingCommentCreation, options?: RequestOptions): Call<FindingComment> {
    return this.call({ method: 'POST', path: ['findings', id, 'comment'], json: params }, options);
  }

  /** Lists the comments on a finding, oldest first. */
  comments(id: string, params?: FindingCommentListParams, options?: RequestOptions): PageCall<FindingComment> {
    return this.pages(['findings', id, 'comment'], params, options);
  }

  /** Lists the changes of a finding: when, by whom, and both values. */
  history(id: string, params?: FindingHistoryParams, options?: RequestOptions): PageCall<FindingChange> {
    return this.pages(['findings', id, 'history'], params, options);
  }

  /**
   * Yields every finding that changes, from `since` on and endlessly, each in its new state and none missed. Keep the
   * `updated_at` of the last finding that you have processed, and pass it as `since` to resume there: findings of that
   * same second are yielded again. Leaving the loop or aborting the signal ends it.
   */
  follow(
    since: string | Date,
    params?: FindingFollowParams,
    options?: RequestOptions & { /** Between two looks for news: 10,000 by default. */ pollIntervalMs?: number },
  ): AsyncGenerator<Finding> {
    const load = (query: object) => this.list(query, options);
    return followFindings(this.transport, load, since, params, options);
  }

  /** Groups of findings with their counts, under the filters of the list. */
  groups(params: FindingGroupListParams, options?: RequestOptions): PageCall<FindingGroup> {
    return this.pages(['findings', 'groups'], params, options);
  }

  /** The changes of a finding and the comments on it, in one order. */
  timeline(id: string, params?: FindingTimelineParams, options?: RequestOptions): PageCall<TimelineEntry> {
    return this.pages(['findings', id, 'timeline'], params, options);
  }

  /** Edits a comment of your own. */
  updateComment(
    id: string,
    commentId: string,
    params: FindingCommentUpdate,
    options?: RequestOptions,
  ): Call<FindingComment> {
    return this.call({ method: 'PATCH', path: ['findings', id, 'comment', commentId], json: params }, options);
  }

  /** Deletes a comment of your own. */
  deleteComment(id: string, commentId: string, options?: RequestOptions): Call<void> {
    return this.call({ method: 'DELETE', path: ['findings', id, 'comment', commentId] }, options);
  }
}
