package assay

import (
	"context"
	"iter"
	"net/http"
)

// ProfileResource is your own account: for sessions of the console only.
type ProfileResource struct {
	t           *transport
	Tokens      *Tokens
	Preferences *PreferencesResource
	Passkeys    *Passkeys
	Sessions    *Sessions
	TwoFactor   *TwoFactor
}

// Get returns the profile.
func (r *ProfileResource) Get(ctx context.Context, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodGet, path: []string{"profile"}}, options)
}

// Update changes the name or the organization.
func (r *ProfileResource) Update(ctx context.Context, params ProfileUpdate, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"profile"}, body: params}, options)
}

// Tokens are your API tokens: for sessions of the console only, because a token can't create tokens.
type Tokens struct{ t *transport }

// List requests one page of tokens.
func (r *Tokens) List(ctx context.Context, params TokenListParams, options ...CallOption) (*Page[APIToken], error) {
	return list[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// All yields tokens, of all pages.
func (r *Tokens) All(ctx context.Context, params TokenListParams, options ...CallOption) iter.Seq2[APIToken, error] {
	return all[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// Create creates a token, which is returned this once.
func (r *Tokens) Create(ctx context.Context, params APITokenCreation, options ...CallOption) (*NewAPIToken, error) {
	return do[NewAPIToken](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "tokens"}, body: params}, options)
}

// Delete revokes a token.
func (r *Tokens) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "tokens", id}}, options)
}

// Sessions are your sign-ins, one for each browser.
type Sessions struct{ t *transport }

// TwoFactor is the second factor of your sign-in.
type TwoFactor struct{ t *transport }

// ChangePassword changes the password, and ends all other sessions.
func (r *ProfileResource) ChangePassword(ctx context.Context, params PasswordChange, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPut, path: []string{"profile", "password"}, body: params}, options)
}

// List requests one page of sessions.
func (r *Sessions) List(ctx context.Context, params SessionListParams, options ...CallOption) (*Page[Session], error) {
	return list[Session](ctx, r.t, []string{"profile", "sessions"}, params, options)
}

// All yields sessions, of all pages.
func (r *Sessions) All(ctx context.Context, params SessionListParams, options ...CallOption) iter.Seq2[Session, error] {
	return all[Session](ctx, r.t, []string{"profile", "sessions"}, params, options)
}

// Delete ends a session.
func (r *Sessions) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "sessions", id}}, options)
}

// DeleteOthers ends all other sessions.
func (r *Sessions) DeleteOthers(ctx context.Context, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "sessions"}}, options)
}

// FailedSignIns requests one page of attempts to sign in as you that failed.
func (r *Sessions) FailedSignIns(ctx context.Context, params FailedSignInListParams, options ...CallOption) (*Page[FailedSignIn], error) {
	return list[FailedSignIn](ctx, r.t, []string{"profile", "failed-sign-ins"}, params, options)
}

// AllFailedSignIns yields attempts to sign in as you that failed, of all pages.
func (r *Sessions) AllFailedSignIns(ctx context.Context, params FailedSignInListParams, options ...CallOption) iter.Seq2[FailedSignIn, error] {
	return all[FailedSignIn](ctx, r.t, []string{"profile", "failed-sign-ins"}, params, options)
}

// SetUp returns a secret for an authenticator, and recovery codes. Confirm turns the second factor on.
func (r *TwoFactor) SetUp(ctx context.Context, params PasswordConfirmation, options ...CallOption) (*TwoFactorSetup, error) {
	return do[TwoFactorSetup](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor"}, body: params}, options)
}

// Confirm turns the second factor on with a code of the authenticator.
func (r *TwoFactor) Confirm(ctx context.Context, params TwoFactorCode, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "confirm"}, body: params}, options)
}

// Remove removes the second factor.
func (r *TwoFactor) Remove(ctx context.Context, params TwoFactorRemoval, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "remove"}, body: params}, options)
}

// RenewRecoveryCodes replaces the recovery codes.
func (r *TwoFactor) RenewRecoveryCodes(ctx context.Context, params PasswordConfirmation, options ...CallOption) (*RecoveryCodes, error) {
	return do[RecoveryCodes](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "recovery-codes"}, body: params}, options)
}

// Passkeys are your passkeys.
type Passkeys struct{ t *transport }

// ChangeEmail changes the email address, once a link in a mail to the new one is opened.
func (r *ProfileResource) ChangeEmail(ctx context.Context, params EmailChange, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "email"}, body: params}, options)
}

// List requests one page of passkeys.
func (r *Passkeys) List(ctx context.Context, params PasskeyListParams, options ...CallOption) (*Page[Passkey], error) {
	return list[Passkey](ctx, r.t, []string{"profile", "passkeys"}, params, options)
}

// All yields passkeys, of all pages.
func (r *Passkeys) All(ctx context.Context, params PasskeyListParams, options ...CallOption) iter.Seq2[Passkey, error] {
	return all[Passkey](ctx, r.t, []string{"profile", "passkeys"}, params, options)
}

// Update renames a passkey.
func (r *Passkeys) Update(ctx context.Context, id string, params PasskeyUpdate, options ...CallOption) (*Passkey, error) {
	return do[Passkey](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"profile", "passkeys", id}, body: params}, options)
}

// Delete removes a passkey, and what else params say.
func (r *Passkeys) Delete(ctx context.Context, id string, params PasskeyDeleteParams, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "passkeys", id}, query: params}, options)
}

// PreferencesResource is your preferences in the console.
type PreferencesResource struct{ t *transport }

// Get returns the preferences.
func (r *PreferencesResource) Get(ctx context.Context, options ...CallOption) (*Preferences, error) {
	return do[Preferences](ctx, r.t, &spec{method: http.MethodGet, path: []string{"profile", "preferences"}}, options)
}

// Replace replaces all preferences.
func (r *PreferencesResource) Replace(ctx context.Context, params PreferencesInput, options ...CallOption) (*Preferences, error) {
	return do[Preferences](ctx, r.t, &spec{method: http.MethodPut, path: []string{"profile", "preferences"}, body: params}, options)
}
