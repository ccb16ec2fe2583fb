package assay

import (
	"context"
	"iter"
	"net/http"
)

// Views are saved views of the list of findings: filters, order and columns.
type Views struct{ t *transport }

// List requests one page of views.
func (r *Views) List(ctx context.Context, params ViewListParams, options ...CallOption) (*Page[View], error) {
	return list[View](ctx, r.t, []string{"views"}, params, options)
}

// All yields views, of all pages.
func (r *Views) All(ctx context.Context, params ViewListParams, options ...CallOption) iter.Seq2[View, error] {
	return all[View](ctx, r.t, []string{"views"}, params, options)
}

// Create saves a view.
func (r *Views) Create(ctx context.Context, params ViewCreation, options ...CallOption) (*View, error) {
	return do[View](ctx, r.t, &spec{method: http.MethodPost, path: []string{"views"}, body: params}, options)
}

// Update changes a view.
func (r *Views) Update(ctx context.Context, id string, params ViewUpdate, options ...CallOption) (*View, error) {
	return do[View](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"views", id}, body: params}, options)
}

// Delete deletes a view.
func (r *Views) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"views", id}}, options)
}
