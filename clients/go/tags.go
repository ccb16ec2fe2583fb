package assay

import (
	"context"
	"iter"
)

// Tags are the tags of all findings.
type Tags struct{ t *transport }

// List requests one page of tags.
func (r *Tags) List(ctx context.Context, params TagListParams, options ...CallOption) (*Page[KnownTag], error) {
	return list[KnownTag](ctx, r.t, []string{"tags"}, params, options)
}

// All yields tags, of all pages.
func (r *Tags) All(ctx context.Context, params TagListParams, options ...CallOption) iter.Seq2[KnownTag, error] {
	return all[KnownTag](ctx, r.t, []string{"tags"}, params, options)
}
