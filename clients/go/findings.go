package assay

import (
	"context"
	"iter"
	"net/http"
)

// Findings are the problems that were found: one lasting record for each.
type Findings struct{ t *transport }

// List requests one page of findings.
func (r *Findings) List(ctx context.Context, params FindingListParams, options ...CallOption) (*Page[Finding], error) {
	return list[Finding](ctx, r.t, []string{"findings"}, params, options)
}

// All yields findings, of all pages.
func (r *Findings) All(ctx context.Context, params FindingListParams, options ...CallOption) iter.Seq2[Finding, error] {
	return all[Finding](ctx, r.t, []string{"findings"}, params, options)
}

// Get returns a finding with its places.
func (r *Findings) Get(ctx context.Context, id string, options ...CallOption) (*FindingDetail, error) {
	return do[FindingDetail](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", id}}, options)
}

// Update changes a finding, in one transaction.
func (r *Findings) Update(ctx context.Context, id string, params FindingUpdate, options ...CallOption) (*FindingDetail, error) {
	return do[FindingDetail](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings", id}, body: params, once: params.Comment != ""}, options)
}

// Export exports all findings that the filters select. The file is read as it comes: save it, copy it, or read it, and close it.
func (r *Findings) Export(ctx context.Context, params FindingExportParams, options ...CallOption) (*Content, error) {
	s := &spec{method: http.MethodGet, path: []string{"findings", "export"}, query: params, accept: "*/*"}
	return open(ctx, r.t, s, r.t.call(options))
}

// UpdateMany changes many findings, by their ids or by a filter, in one transaction.
func (r *Findings) UpdateMany(ctx context.Context, params FindingBulkUpdate, options ...CallOption) (*FindingBulkUpdateResult, error) {
	return do[FindingBulkUpdateResult](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings"}, body: params, keyed: true}, options)
}

// Summary returns counts for dashboards, under the same filters as the list.
func (r *Findings) Summary(ctx context.Context, params FindingSummaryParams, options ...CallOption) (*FindingSummary, error) {
	return do[FindingSummary](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "summary"}, query: params}, options)
}

// Comment adds a comment.
func (r *Findings) Comment(ctx context.Context, id string, params FindingCommentCreation, options ...CallOption) (*FindingComment, error) {
	return do[FindingComment](ctx, r.t, &spec{method: http.MethodPost, path: []string{"findings", id, "comment"}, body: params}, options)
}

// Comments requests one page of the comments on a finding, oldest first.
func (r *Findings) Comments(ctx context.Context, id string, params FindingCommentListParams, options ...CallOption) (*Page[FindingComment], error) {
	return list[FindingComment](ctx, r.t, []string{"findings", id, "comment"}, params, options)
}

// AllComments yields the comments on a finding, oldest first, of all pages.
func (r *Findings) AllComments(ctx context.Context, id string, params FindingCommentListParams, options ...CallOption) iter.Seq2[FindingComment, error] {
	return all[FindingComment](ctx, r.t, []string{"findings", id, "comment"}, params, options)
}

// History requests one page of the changes of a finding: when, by whom, and both values.
func (r *Findings) History(ctx context.Context, id string, params FindingHistoryParams, options ...CallOption) (*Page[FindingChange], error) {
	return list[FindingChange](ctx, r.t, []string{"findings", id, "history"}, params, options)
}

// AllHistory yields the changes of a finding, of all pages.
func (r *Findings) AllHistory(ctx context.Context, id string, params FindingHistoryParams, options ...CallOption) iter.Seq2[FindingChange, error] {
	return all[FindingChange](ctx, r.t, []string{"findings", id, "history"}, params, options)
}

// Follow yields every finding that changes, from since on and without end, each in its new state. It misses none. Store the
// UpdatedAt of the last finding that you have processed, and pass it as since to resume there; findings of that same second are
// yielded again. It ends when you leave the loop or cancel the context.
func (r *Findings) Follow(ctx context.Context, since Timestamp, params FindingFollowParams, options ...CallOption) iter.Seq2[Finding, error] {
	return followFindings(ctx, r.t, since, params, options)
}

// Facets counts the findings with each value of a field, under the list's filters except the field's own.
func (r *Findings) Facets(ctx context.Context, params FindingFacetsParams, options ...CallOption) (*FindingFacets, error) {
	return do[FindingFacets](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "facets"}, query: params}, options)
}

// Groups requests one page of groups of findings with their counts, under the filters of the list.
func (r *Findings) Groups(ctx context.Context, params FindingGroupListParams, options ...CallOption) (*Page[FindingGroup], error) {
	return list[FindingGroup](ctx, r.t, []string{"findings", "groups"}, params, options)
}

// AllGroups yields groups of findings with their counts, under the filters of the list, of all pages.
func (r *Findings) AllGroups(ctx context.Context, params FindingGroupListParams, options ...CallOption) iter.Seq2[FindingGroup, error] {
	return all[FindingGroup](ctx, r.t, []string{"findings", "groups"}, params, options)
}

// Timeline requests one page of the changes of a finding and the comments on it, in one order.
func (r *Findings) Timeline(ctx context.Context, id string, params FindingTimelineParams, options ...CallOption) (*Page[TimelineEntry], error) {
	return list[TimelineEntry](ctx, r.t, []string{"findings", id, "timeline"}, params, options)
}

// AllTimeline yields the changes of a finding and the comments on it, in one order, of all pages.
func (r *Findings) AllTimeline(ctx context.Context, id string, params FindingTimelineParams, options ...CallOption) iter.Seq2[TimelineEntry, error] {
	return all[TimelineEntry](ctx, r.t, []string{"findings", id, "timeline"}, params, options)
}

// UpdateComment edits your own comment.
func (r *Findings) UpdateComment(ctx context.Context, id, commentID string, params FindingCommentUpdate, options ...CallOption) (*FindingComment, error) {
	return do[FindingComment](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings", id, "comment", commentID}, body: params}, options)
}

// DeleteComment deletes your own comment.
func (r *Findings) DeleteComment(ctx context.Context, id, commentID string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"findings", id, "comment", commentID}}, options)
}
