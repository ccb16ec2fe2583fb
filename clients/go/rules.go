package assay

import (
	"context"
	"iter"
)

// Rules are the rules of all findings.
type Rules struct{ t *transport }

// List requests one page of rules.
func (r *Rules) List(ctx context.Context, params RuleListParams, options ...CallOption) (*Page[KnownRule], error) {
	return list[KnownRule](ctx, r.t, []string{"rules"}, params, options)
}

// All yields rules, of all pages.
func (r *Rules) All(ctx context.Context, params RuleListParams, options ...CallOption) iter.Seq2[KnownRule, error] {
	return all[KnownRule](ctx, r.t, []string{"rules"}, params, options)
}
