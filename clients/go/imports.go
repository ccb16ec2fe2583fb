package assay

import (
	"context"
	"io"
	"net/http"
)

// Imports are results and SBOMs of other scanners.
type Imports struct{ t *transport }

// Upload uploads a result file to a data source, as a stream, and returns the scan that imports it: wait for that. Only a file
// that can be read again (an io.Seeker) is retried; a stream is sent once.
func (r *Imports) Upload(ctx context.Context, dataSourceID string, file io.Reader, params ImportParams, options ...CallOption) (*Scan, error) {
	upload, err := newUpload(file)
	if err != nil {
		return nil, err
	}
	path := []string{"data-sources", dataSourceID, "imports"}
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: path, query: params, upload: upload}, options)
}
