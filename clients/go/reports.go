package assay

import (
	"context"
	"iter"
	"net/http"
)

// Reports are snapshots of findings, in any format.
type Reports struct{ t *transport }

// List requests one page of reports.
func (r *Reports) List(ctx context.Context, params ReportListParams, options ...CallOption) (*Page[Report], error) {
	return list[Report](ctx, r.t, []string{"reports"}, params, options)
}

// All yields reports, of all pages.
func (r *Reports) All(ctx context.Context, params ReportListParams, options ...CallOption) iter.Seq2[Report, error] {
	return all[Report](ctx, r.t, []string{"reports"}, params, options)
}

// Create creates a report, which you can wait for.
func (r *Reports) Create(ctx context.Context, params ReportCreation, options ...CallOption) (*Report, error) {
	return do[Report](ctx, r.t, &spec{method: http.MethodPost, path: []string{"reports"}, body: params}, options)
}

// Get returns a report.
func (r *Reports) Get(ctx context.Context, id string, options ...CallOption) (*Report, error) {
	return do[Report](ctx, r.t, &spec{method: http.MethodGet, path: []string{"reports", id}}, options)
}

// Delete removes a report.
func (r *Reports) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"reports", id}}, options)
}

// Export exports a report that is ready. The file is read as it arrives: save it, copy it, or read and close it.
func (r *Reports) Export(ctx context.Context, id string, params ReportExportParams, options ...CallOption) (*Content, error) {
	s := &spec{method: http.MethodGet, path: []string{"reports", id, "export"}, query: params, accept: "*/*"}
	return open(ctx, r.t, s, r.t.call(options))
}

// Wait waits until a report is ready or has failed: see its Status and Error.
func (r *Reports) Wait(ctx context.Context, id string, options ...CallOption) (*Report, error) {
	look := func() (*Report, error) { return r.Get(ctx, id, options...) }
	isDone := func(report *Report) bool { return report.Status != ReportStatusPending }
	return pollUntil(ctx, r.t, look, isDone, options)
}
