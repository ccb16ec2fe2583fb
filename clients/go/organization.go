package assay

import (
	"context"
	"iter"
	"net/http"
)

// OrganizationResource is the organization that the token belongs to.
type OrganizationResource struct {
	t           *transport
	Members     *Members
	Invitations *Invitations
}

// Get returns the organization.
func (r *OrganizationResource) Get(ctx context.Context, options ...CallOption) (*Organization, error) {
	return do[Organization](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization"}}, options)
}

// Members are the members of the organization.
type Members struct{ t *transport }

// List requests one page of members.
func (r *Members) List(ctx context.Context, params MemberListParams, options ...CallOption) (*Page[Member], error) {
	return list[Member](ctx, r.t, []string{"organization", "members"}, params, options)
}

// All yields members, of all pages.
func (r *Members) All(ctx context.Context, params MemberListParams, options ...CallOption) iter.Seq2[Member, error] {
	return all[Member](ctx, r.t, []string{"organization", "members"}, params, options)
}

// Update changes the role of a member.
func (r *Members) Update(ctx context.Context, id string, params MemberUpdate, options ...CallOption) (*Member, error) {
	return do[Member](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"organization", "members", id}, body: params}, options)
}

// Delete removes a member.
func (r *Members) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id}}, options)
}

// Tokens requests one page of the API tokens that a member has in this organization, newest first.
func (r *Members) Tokens(ctx context.Context, id string, params MemberTokenListParams, options ...CallOption) (*Page[APIToken], error) {
	return list[APIToken](ctx, r.t, []string{"organization", "members", id, "tokens"}, params, options)
}

// AllTokens yields the API tokens that a member has in this organization, of all pages.
func (r *Members) AllTokens(ctx context.Context, id string, params MemberTokenListParams, options ...CallOption) iter.Seq2[APIToken, error] {
	return all[APIToken](ctx, r.t, []string{"organization", "members", id, "tokens"}, params, options)
}

// DeleteToken revokes an API token of a member.
func (r *Members) DeleteToken(ctx context.Context, id, tokenID string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id, "tokens", tokenID}}, options)
}

// Sessions requests one page of the sessions of a member that reach this organization, newest first.
func (r *Members) Sessions(ctx context.Context, id string, params MemberSessionListParams, options ...CallOption) (*Page[Session], error) {
	return list[Session](ctx, r.t, []string{"organization", "members", id, "sessions"}, params, options)
}

// AllSessions yields the sessions of a member that reach this organization, of all pages.
func (r *Members) AllSessions(ctx context.Context, id string, params MemberSessionListParams, options ...CallOption) iter.Seq2[Session, error] {
	return all[Session](ctx, r.t, []string{"organization", "members", id, "sessions"}, params, options)
}

// EndSessions signs a member out of this organization.
func (r *Members) EndSessions(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id, "sessions"}}, options)
}

// Invitations are invitations to the organization.
type Invitations struct{ t *transport }

// List requests one page of invitations.
func (r *Invitations) List(ctx context.Context, params InvitationListParams, options ...CallOption) (*Page[Invitation], error) {
	return list[Invitation](ctx, r.t, []string{"organization", "invitations"}, params, options)
}

// All yields invitations, of all pages.
func (r *Invitations) All(ctx context.Context, params InvitationListParams, options ...CallOption) iter.Seq2[Invitation, error] {
	return all[Invitation](ctx, r.t, []string{"organization", "invitations"}, params, options)
}

// Create invites a person by mail.
func (r *Invitations) Create(ctx context.Context, params InvitationCreation, options ...CallOption) (*NewInvitation, error) {
	return do[NewInvitation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"organization", "invitations"}, body: params}, options)
}

// Delete revokes an invitation.
func (r *Invitations) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "invitations", id}}, options)
}

// Update renames the organization.
func (r *OrganizationResource) Update(ctx context.Context, params OrganizationUpdate, options ...CallOption) (*Organization, error) {
	return do[Organization](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"organization"}, body: params}, options)
}

// Resend sends an invitation again, with a new link.
func (r *Invitations) Resend(ctx context.Context, id string, options ...CallOption) (*NewInvitation, error) {
	return do[NewInvitation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"organization", "invitations", id, "resend"}}, options)
}

// Policy returns the days to fix findings and the conditions for accepting risks.
func (r *OrganizationResource) Policy(ctx context.Context, options ...CallOption) (*Policy, error) {
	return do[Policy](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization", "policy"}}, options)
}

// Installation checks the installation, for owners of the organization that runs it.
func (r *OrganizationResource) Installation(ctx context.Context, options ...CallOption) (*Installation, error) {
	return do[Installation](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization", "installation"}}, options)
}

// ReplacePolicy replaces the policy.
func (r *OrganizationResource) ReplacePolicy(ctx context.Context, params PolicyReplacement, options ...CallOption) (*Policy, error) {
	return do[Policy](ctx, r.t, &spec{method: http.MethodPut, path: []string{"organization", "policy"}, body: params}, options)
}
