package assay

import (
	"context"
	"iter"
	"net/http"
)

// DetectionSources are the scanners that are connected.
type DetectionSources struct{ t *transport }

// List requests one page of detection sources.
func (r *DetectionSources) List(ctx context.Context, params DetectionSourceListParams, options ...CallOption) (*Page[DetectionSource], error) {
	return list[DetectionSource](ctx, r.t, []string{"detection-sources"}, params, options)
}

// All yields detection sources, of all pages.
func (r *DetectionSources) All(ctx context.Context, params DetectionSourceListParams, options ...CallOption) iter.Seq2[DetectionSource, error] {
	return all[DetectionSource](ctx, r.t, []string{"detection-sources"}, params, options)
}

// Scan starts a scan of a type, such as "secrets", of one data source or of all that the type handles.
func (r *DetectionSources) Scan(ctx context.Context, kind string, params ScanStartParams, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: []string{"detection-sources", kind, "scan"}, query: params}, options)
}
