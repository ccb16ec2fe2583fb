package assay

import (
	"context"
	"iter"
	"net/http"
)

// Scans are all scans, however they were started.
type Scans struct{ t *transport }

// List requests one page of scans.
func (r *Scans) List(ctx context.Context, params ScanListParams, options ...CallOption) (*Page[Scan], error) {
	return list[Scan](ctx, r.t, []string{"scans"}, params, options)
}

// All yields scans, of all pages.
func (r *Scans) All(ctx context.Context, params ScanListParams, options ...CallOption) iter.Seq2[Scan, error] {
	return all[Scan](ctx, r.t, []string{"scans"}, params, options)
}

// Get returns a scan.
func (r *Scans) Get(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scans", id}}, options)
}

// Cancel stops a scan.
func (r *Scans) Cancel(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scans", id, "cancel"}}, options)
}

// Targets requests one page of the results of the scan for each data source, and why it closed nothing there.
func (r *Scans) Targets(ctx context.Context, id string, params ScanTargetListParams, options ...CallOption) (*Page[ScanTarget], error) {
	return list[ScanTarget](ctx, r.t, []string{"scans", id, "targets"}, params, options)
}

// AllTargets yields the results of the scan for each data source, of all pages.
func (r *Scans) AllTargets(ctx context.Context, id string, params ScanTargetListParams, options ...CallOption) iter.Seq2[ScanTarget, error] {
	return all[ScanTarget](ctx, r.t, []string{"scans", id, "targets"}, params, options)
}

// Events yields the scan each time it changes ("progress"), and finally when it has ended ("end").
func (r *Scans) Events(ctx context.Context, id string, options ...CallOption) iter.Seq2[Event[Scan], error] {
	return followEvents[Scan](ctx, r.t, []string{"scans", id, "events"}, "end", options)
}

// Wait waits until a scan has ended, successfully or not: see its Status and Errors.
func (r *Scans) Wait(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	look := func() (*Scan, error) { return r.Get(ctx, id, options...) }
	return pollUntil(ctx, r.t, look, hasEnded, options)
}

func hasEnded(scan *Scan) bool {
	switch scan.Status {
	case ScanStatusCompleted, ScanStatusPartial, ScanStatusFailed, ScanStatusCancelled:
		return true
	default:
		return scan.CompletedAt != nil
	}
}
