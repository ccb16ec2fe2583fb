package assay

import (
	"context"
	"iter"
	"net/http"
)

// DataSources are the repositories, images, hosts and the like that are scanned.
type DataSources struct{ t *transport }

// List requests one page of data sources.
func (r *DataSources) List(ctx context.Context, params DataSourceListParams, options ...CallOption) (*Page[DataSource], error) {
	return list[DataSource](ctx, r.t, []string{"data-sources"}, params, options)
}

// All yields data sources, of all pages.
func (r *DataSources) All(ctx context.Context, params DataSourceListParams, options ...CallOption) iter.Seq2[DataSource, error] {
	return all[DataSource](ctx, r.t, []string{"data-sources"}, params, options)
}

// Create adds a data source.
func (r *DataSources) Create(ctx context.Context, params DataSourceCreation, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodPost, path: []string{"data-sources"}, body: params}, options)
}

// Test tries a configuration without saving it. A failure is a result, not an error.
func (r *DataSources) Test(ctx context.Context, params DataSourceCreation, options ...CallOption) (*ConnectionTest, error) {
	return do[ConnectionTest](ctx, r.t, &spec{method: http.MethodPost, path: []string{"data-sources", "test"}, body: params}, options)
}

// Get returns a data source.
func (r *DataSources) Get(ctx context.Context, id string, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodGet, path: []string{"data-sources", id}}, options)
}

// Update changes a data source.
func (r *DataSources) Update(ctx context.Context, id string, params DataSourceUpdate, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"data-sources", id}, body: params}, options)
}

// Delete removes a data source.
func (r *DataSources) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"data-sources", id}}, options)
}

// Suggestions requests one page of data sources that can be added as they are, such as the sample repository.
func (r *DataSources) Suggestions(ctx context.Context, params DataSourceSuggestionListParams, options ...CallOption) (*Page[DataSourceSuggestion], error) {
	return list[DataSourceSuggestion](ctx, r.t, []string{"data-sources", "suggestions"}, params, options)
}

// AllSuggestions yields data sources that can be added as they are, such as the sample repository, of all pages.
func (r *DataSources) AllSuggestions(ctx context.Context, params DataSourceSuggestionListParams, options ...CallOption) iter.Seq2[DataSourceSuggestion, error] {
	return all[DataSourceSuggestion](ctx, r.t, []string{"data-sources", "suggestions"}, params, options)
}
