package assay

import (
	"context"
	"iter"
	"net/http"
)

// ProfileResource is the person who calls: for a session of the console only.
type ProfileResource struct {
	t      *transport
	Tokens *Tokens
}

// Get returns the profile.
func (r *ProfileResource) Get(ctx context.Context, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodGet, path: []string{"profile"}}, options)
}

// Update changes the name or the organization.
func (r *ProfileResource) Update(ctx context.Context, params ProfileUpdate, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"profile"}, body: params}, options)
}

// Tokens are one's API tokens: for a session of the console only, since a token can't make tokens.
type Tokens struct{ t *transport }

// List requests one page of tokens.
func (r *Tokens) List(ctx context.Context, params TokenListParams, options ...CallOption) (*Page[APIToken], error) {
	return list[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// All yields tokens, of all pages.
func (r *Tokens) All(ctx context.Context, params TokenListParams, options ...CallOption) iter.Seq2[APIToken, error] {
	return all[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// Create makes a token, which is shown this once.
func (r *Tokens) Create(ctx context.Context, params APITokenCreation, options ...CallOption) (*NewAPIToken, error) {
	return do[NewAPIToken](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "tokens"}, body: params}, options)
}

// Delete revokes a token.
func (r *Tokens) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "tokens", id}}, options)
}
