package assay

import (
	"context"
	"io"
	"net/http"
)

// Upload streams a result file to a data source and returns the scan that imports it, which [Scans.Wait] can wait for.
// Only a file that can be read again (an io.Seeker) is retried; a stream is sent once.
func (r *Imports) Upload(ctx context.Context, dataSourceID string, file io.Reader, params ImportParams, options ...CallOption) (*Scan, error) {
	upload, err := newUpload(file)
	if err != nil {
		return nil, err
	}
	path := []string{"data-sources", dataSourceID, "imports"}
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: path, query: params, upload: upload}, options)
}

// Preview uploads a result file and returns what its import would change. Nothing is written.
func (r *Imports) Preview(ctx context.Context, dataSourceID string, file io.Reader, params ImportParams, options ...CallOption) (*ImportPreview, error) {
	upload, err := newUpload(file)
	if err != nil {
		return nil, err
	}
	path := []string{"data-sources", dataSourceID, "imports"}
	query := struct {
		Format       ImportFormat `json:"format,omitempty"`
		Tool         string       `json:"tool,omitempty"`
		CloseMissing bool         `json:"close_missing,omitempty"`
		DryRun       bool         `json:"dry_run"`
	}{params.Format, params.Tool, params.CloseMissing, true}
	return do[ImportPreview](ctx, r.t, &spec{method: http.MethodPost, path: path, query: query, upload: upload}, options)
}

// UploadByName streams a result file to the data source with a name and returns the scan that imports it. The first
// import creates the data source, an upload. Only a file that can be read again (an io.Seeker) is retried; a stream is
// sent once.
func (r *Imports) UploadByName(ctx context.Context, file io.Reader, params ImportByNameParams, options ...CallOption) (*Scan, error) {
	upload, err := newUpload(file)
	if err != nil {
		return nil, err
	}
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: []string{"imports"}, query: params, upload: upload}, options)
}

// PreviewByName uploads a result file and returns what its import by name would change. Nothing is written.
func (r *Imports) PreviewByName(ctx context.Context, file io.Reader, params ImportByNameParams, options ...CallOption) (*ImportPreview, error) {
	upload, err := newUpload(file)
	if err != nil {
		return nil, err
	}
	query := struct {
		DataSourceName string       `json:"data_source_name"`
		Format         ImportFormat `json:"format,omitempty"`
		Tool           string       `json:"tool,omitempty"`
		CloseMissing   bool         `json:"close_missing,omitempty"`
		DryRun         bool         `json:"dry_run"`
	}{params.DataSourceName, params.Format, params.Tool, params.CloseMissing, true}
	return do[ImportPreview](ctx, r.t, &spec{method: http.MethodPost, path: []string{"imports"}, query: query, upload: upload}, options)
}
