package assay

import (
	"context"
	"iter"
	"net/http"
)

// BulkOperations are changes of many findings at once, which can be undone for a while.
type BulkOperations struct{ t *transport }

// Undo undoes the changes, except on findings that were changed since.
func (r *BulkOperations) Undo(ctx context.Context, id string, options ...CallOption) (*BulkOperation, error) {
	return do[BulkOperation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"bulk-operations", id, "undo"}}, options)
}

// Get returns a bulk operation.
func (r *BulkOperations) Get(ctx context.Context, id string, options ...CallOption) (*BulkOperation, error) {
	return do[BulkOperation](ctx, r.t, &spec{method: http.MethodGet, path: []string{"bulk-operations", id}}, options)
}

// List requests one page of bulk operations.
func (r *BulkOperations) List(ctx context.Context, params BulkOperationListParams, options ...CallOption) (*Page[BulkOperation], error) {
	return list[BulkOperation](ctx, r.t, []string{"bulk-operations"}, params, options)
}

// All yields bulk operations, of all pages.
func (r *BulkOperations) All(ctx context.Context, params BulkOperationListParams, options ...CallOption) iter.Seq2[BulkOperation, error] {
	return all[BulkOperation](ctx, r.t, []string{"bulk-operations"}, params, options)
}
