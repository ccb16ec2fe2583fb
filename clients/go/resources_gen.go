// Code generated from openapi.json and surface.json by scripts/generate-clients.mjs. DO NOT EDIT.
// Sources 7c5328a376d88950, content cdac48bf35e5b8cf.

package assay

import (
	"context"
	"iter"
	"net/http"
)

// Client is a client of one Assay service with one token. It is safe for concurrent use.
type Client struct {
	Findings         *Findings
	DetectionSources *DetectionSources
	Scans            *Scans
	ScanSchedules    *ScanSchedules
	Reports          *Reports
	ScheduledReports *ScheduledReports
	DataSources      *DataSources
	Imports          *Imports
	Organization     *OrganizationResource
	Profile          *ProfileResource
	Rules            *Rules
	Tags             *Tags
	Events           *Events
	AuditEvents      *AuditEvents
	BulkOperations   *BulkOperations
	Decisions        *Decisions
	Views            *Views
}

func newClient(t *transport) *Client {
	return &Client{
		Findings:         &Findings{t},
		DetectionSources: &DetectionSources{t},
		Scans:            &Scans{t},
		ScanSchedules:    &ScanSchedules{t},
		Reports:          &Reports{t},
		ScheduledReports: &ScheduledReports{t},
		DataSources:      &DataSources{t},
		Imports:          &Imports{t},
		Organization:     &OrganizationResource{t, &Members{t}, &Invitations{t}},
		Profile:          &ProfileResource{t, &Tokens{t}, &Sessions{t}, &TwoFactor{t}, &Passkeys{t}, &PreferencesResource{t}},
		Rules:            &Rules{t},
		Tags:             &Tags{t},
		Events:           &Events{t},
		AuditEvents:      &AuditEvents{t},
		BulkOperations:   &BulkOperations{t},
		Decisions:        &Decisions{t},
		Views:            &Views{t},
	}
}

// Members: the members of the organization.
type Members struct{ t *transport }

// List requests one page of the members.
func (r *Members) List(ctx context.Context, params MemberListParams, options ...CallOption) (*Page[Member], error) {
	return list[Member](ctx, r.t, []string{"organization", "members"}, params, options)
}

// All yields the members, of all pages.
func (r *Members) All(ctx context.Context, params MemberListParams, options ...CallOption) iter.Seq2[Member, error] {
	return all[Member](ctx, r.t, []string{"organization", "members"}, params, options)
}

// Update changes a member’s role.
func (r *Members) Update(ctx context.Context, id string, params MemberUpdate, options ...CallOption) (*Member, error) {
	return do[Member](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"organization", "members", id}, body: params}, options)
}

// Delete removes a member.
func (r *Members) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id}}, options)
}

// Tokens requests one page of the API tokens of a member.
func (r *Members) Tokens(ctx context.Context, id string, params MemberTokenListParams, options ...CallOption) (*Page[APIToken], error) {
	return list[APIToken](ctx, r.t, []string{"organization", "members", id, "tokens"}, params, options)
}

// AllTokens yields the API tokens of a member, of all pages.
func (r *Members) AllTokens(ctx context.Context, id string, params MemberTokenListParams, options ...CallOption) iter.Seq2[APIToken, error] {
	return all[APIToken](ctx, r.t, []string{"organization", "members", id, "tokens"}, params, options)
}

// DeleteToken revokes an API token of a member. Takes effect with the next request, on every node.
func (r *Members) DeleteToken(ctx context.Context, id, tokenID string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id, "tokens", tokenID}}, options)
}

// Sessions requests one page of the sessions of a member.
func (r *Members) Sessions(ctx context.Context, id string, params MemberSessionListParams, options ...CallOption) (*Page[Session], error) {
	return list[Session](ctx, r.t, []string{"organization", "members", id, "sessions"}, params, options)
}

// AllSessions yields the sessions of a member, of all pages.
func (r *Members) AllSessions(ctx context.Context, id string, params MemberSessionListParams, options ...CallOption) iter.Seq2[Session, error] {
	return all[Session](ctx, r.t, []string{"organization", "members", id, "sessions"}, params, options)
}

// EndSessions ends the sessions of a member.
func (r *Members) EndSessions(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "members", id, "sessions"}}, options)
}

// Invitations: invitations to the organization.
type Invitations struct{ t *transport }

// List requests one page of the invitations. Returns all invitations in any state, newest first.
func (r *Invitations) List(ctx context.Context, params InvitationListParams, options ...CallOption) (*Page[Invitation], error) {
	return list[Invitation](ctx, r.t, []string{"organization", "invitations"}, params, options)
}

// All yields the invitations, of all pages.
func (r *Invitations) All(ctx context.Context, params InvitationListParams, options ...CallOption) iter.Seq2[Invitation, error] {
	return all[Invitation](ctx, r.t, []string{"organization", "invitations"}, params, options)
}

// Create invites a person.
func (r *Invitations) Create(ctx context.Context, params InvitationCreation, options ...CallOption) (*NewInvitation, error) {
	return do[NewInvitation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"organization", "invitations"}, body: params}, options)
}

// Delete revokes an invitation. The link stops working.
func (r *Invitations) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"organization", "invitations", id}}, options)
}

// Resend sends an invitation again.
func (r *Invitations) Resend(ctx context.Context, id string, options ...CallOption) (*NewInvitation, error) {
	return do[NewInvitation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"organization", "invitations", id, "resend"}}, options)
}

// Tokens: your API tokens: for a session of the console only, since a token can't make tokens.
type Tokens struct{ t *transport }

// List requests one page of your API tokens.
func (r *Tokens) List(ctx context.Context, params TokenListParams, options ...CallOption) (*Page[APIToken], error) {
	return list[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// All yields your API tokens, of all pages.
func (r *Tokens) All(ctx context.Context, params TokenListParams, options ...CallOption) iter.Seq2[APIToken, error] {
	return all[APIToken](ctx, r.t, []string{"profile", "tokens"}, params, options)
}

// Create creates an API token. Creates a token for you in the current organization.
func (r *Tokens) Create(ctx context.Context, params APITokenCreation, options ...CallOption) (*NewAPIToken, error) {
	return do[NewAPIToken](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "tokens"}, body: params}, options)
}

// Delete revokes an API token. Takes effect with the next request, on every node.
func (r *Tokens) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "tokens", id}}, options)
}

// Sessions: your sessions: the browsers in which you are signed in.
type Sessions struct{ t *transport }

// List requests one page of your sessions. Returns the browsers in which you are signed in, newest first.
func (r *Sessions) List(ctx context.Context, params SessionListParams, options ...CallOption) (*Page[Session], error) {
	return list[Session](ctx, r.t, []string{"profile", "sessions"}, params, options)
}

// All yields your sessions, of all pages.
func (r *Sessions) All(ctx context.Context, params SessionListParams, options ...CallOption) iter.Seq2[Session, error] {
	return all[Session](ctx, r.t, []string{"profile", "sessions"}, params, options)
}

// Delete ends a session. Signs that browser out on every node, from its next request on.
func (r *Sessions) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "sessions", id}}, options)
}

// DeleteOthers ends all other sessions. Signs you out everywhere else.
func (r *Sessions) DeleteOthers(ctx context.Context, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "sessions"}}, options)
}

// FailedSignIns requests one page of failed sign-ins.
func (r *Sessions) FailedSignIns(ctx context.Context, params FailedSignInListParams, options ...CallOption) (*Page[FailedSignIn], error) {
	return list[FailedSignIn](ctx, r.t, []string{"profile", "failed-sign-ins"}, params, options)
}

// AllFailedSignIns yields failed sign-ins, of all pages.
func (r *Sessions) AllFailedSignIns(ctx context.Context, params FailedSignInListParams, options ...CallOption) iter.Seq2[FailedSignIn, error] {
	return all[FailedSignIn](ctx, r.t, []string{"profile", "failed-sign-ins"}, params, options)
}

// TwoFactor: the second factor of your sign-in.
type TwoFactor struct{ t *transport }

// SetUp sets up a second factor. Returns the secret for an authenticator, and recovery codes.
func (r *TwoFactor) SetUp(ctx context.Context, params PasswordConfirmation, options ...CallOption) (*TwoFactorSetup, error) {
	return do[TwoFactorSetup](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor"}, body: params}, options)
}

// Confirm turns the second factor on.
func (r *TwoFactor) Confirm(ctx context.Context, params TwoFactorCode, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "confirm"}, body: params}, options)
}

// Remove removes the second factor.
func (r *TwoFactor) Remove(ctx context.Context, params TwoFactorRemoval, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "remove"}, body: params}, options)
}

// RenewRecoveryCodes creates new recovery codes. The previous codes stop working.
func (r *TwoFactor) RenewRecoveryCodes(ctx context.Context, params PasswordConfirmation, options ...CallOption) (*RecoveryCodes, error) {
	return do[RecoveryCodes](ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "two-factor", "recovery-codes"}, body: params}, options)
}

// Passkeys: the passkeys with which you sign in.
type Passkeys struct{ t *transport }

// List requests one page of your passkeys. Returns the passkeys with which you can sign in, newest first.
func (r *Passkeys) List(ctx context.Context, params PasskeyListParams, options ...CallOption) (*Page[Passkey], error) {
	return list[Passkey](ctx, r.t, []string{"profile", "passkeys"}, params, options)
}

// All yields your passkeys, of all pages.
func (r *Passkeys) All(ctx context.Context, params PasskeyListParams, options ...CallOption) iter.Seq2[Passkey, error] {
	return all[Passkey](ctx, r.t, []string{"profile", "passkeys"}, params, options)
}

// Update renames a passkey. The name is only for you.
func (r *Passkeys) Update(ctx context.Context, id string, params PasskeyUpdate, options ...CallOption) (*Passkey, error) {
	return do[Passkey](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"profile", "passkeys", id}, body: params}, options)
}

// Delete removes a passkey. It no longer signs you in.
func (r *Passkeys) Delete(ctx context.Context, id string, params PasskeyDeleteParams, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"profile", "passkeys", id}, query: params}, options)
}

// PreferencesResource: your preferences in the console.
type PreferencesResource struct{ t *transport }

// Get gets your preferences.
func (r *PreferencesResource) Get(ctx context.Context, options ...CallOption) (*Preferences, error) {
	return do[Preferences](ctx, r.t, &spec{method: http.MethodGet, path: []string{"profile", "preferences"}}, options)
}

// Replace replaces your preferences.
func (r *PreferencesResource) Replace(ctx context.Context, params PreferencesInput, options ...CallOption) (*Preferences, error) {
	return do[Preferences](ctx, r.t, &spec{method: http.MethodPut, path: []string{"profile", "preferences"}, body: params}, options)
}

// Findings: one lasting record per problem.
type Findings struct{ t *transport }

// List requests one page of findings.
func (r *Findings) List(ctx context.Context, params FindingListParams, options ...CallOption) (*Page[Finding], error) {
	return list[Finding](ctx, r.t, []string{"findings"}, params, options)
}

// All yields findings, of all pages.
func (r *Findings) All(ctx context.Context, params FindingListParams, options ...CallOption) iter.Seq2[Finding, error] {
	return all[Finding](ctx, r.t, []string{"findings"}, params, options)
}

// Get gets one finding.
func (r *Findings) Get(ctx context.Context, id string, options ...CallOption) (*FindingDetail, error) {
	return do[FindingDetail](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", id}}, options)
}

// Update updates a finding. Sets the fields that the body contains, all or none; `comment` adds a comment.
func (r *Findings) Update(ctx context.Context, id string, params FindingUpdate, options ...CallOption) (*FindingDetail, error) {
	return do[FindingDetail](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings", id}, body: params, once: params.Comment != ""}, options)
}

// UpdateMany updates many findings.
func (r *Findings) UpdateMany(ctx context.Context, params FindingBulkUpdate, options ...CallOption) (*FindingBulkUpdateResult, error) {
	return do[FindingBulkUpdateResult](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings"}, body: params, keyed: true}, options)
}

// Summary counts findings. Returns figures for dashboards, with the same filters as the list.
func (r *Findings) Summary(ctx context.Context, params FindingSummaryParams, options ...CallOption) (*FindingSummary, error) {
	return do[FindingSummary](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "summary"}, query: params}, options)
}

// Progress measures the progress of repairs.
func (r *Findings) Progress(ctx context.Context, params FindingProgressParams, options ...CallOption) (*FindingProgress, error) {
	return do[FindingProgress](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "progress"}, query: params}, options)
}

// Comment comments on a finding. Adds a comment.
func (r *Findings) Comment(ctx context.Context, id string, params FindingCommentCreation, options ...CallOption) (*FindingComment, error) {
	return do[FindingComment](ctx, r.t, &spec{method: http.MethodPost, path: []string{"findings", id, "comment"}, body: params}, options)
}

// Comments requests one page of the comments of a finding. Returns the comments, oldest first.
func (r *Findings) Comments(ctx context.Context, id string, params FindingCommentListParams, options ...CallOption) (*Page[FindingComment], error) {
	return list[FindingComment](ctx, r.t, []string{"findings", id, "comment"}, params, options)
}

// AllComments yields the comments of a finding, of all pages.
func (r *Findings) AllComments(ctx context.Context, id string, params FindingCommentListParams, options ...CallOption) iter.Seq2[FindingComment, error] {
	return all[FindingComment](ctx, r.t, []string{"findings", id, "comment"}, params, options)
}

// History requests one page of the changes of a finding.
func (r *Findings) History(ctx context.Context, id string, params FindingHistoryParams, options ...CallOption) (*Page[FindingChange], error) {
	return list[FindingChange](ctx, r.t, []string{"findings", id, "history"}, params, options)
}

// AllHistory yields the changes of a finding, of all pages.
func (r *Findings) AllHistory(ctx context.Context, id string, params FindingHistoryParams, options ...CallOption) iter.Seq2[FindingChange, error] {
	return all[FindingChange](ctx, r.t, []string{"findings", id, "history"}, params, options)
}

// Facets counts findings by value.
func (r *Findings) Facets(ctx context.Context, params FindingFacetsParams, options ...CallOption) (*FindingFacets, error) {
	return do[FindingFacets](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "facets"}, query: params}, options)
}

// Suggest suggests identifiers, packages, rules and findings.
func (r *Findings) Suggest(ctx context.Context, params FindingSuggestParams, options ...CallOption) (*FindingSuggestions, error) {
	return do[FindingSuggestions](ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "suggestions"}, query: params}, options)
}

// Groups requests one page of groups of findings.
func (r *Findings) Groups(ctx context.Context, params FindingGroupListParams, options ...CallOption) (*Page[FindingGroup], error) {
	return list[FindingGroup](ctx, r.t, []string{"findings", "groups"}, params, options)
}

// AllGroups yields groups of findings, of all pages.
func (r *Findings) AllGroups(ctx context.Context, params FindingGroupListParams, options ...CallOption) iter.Seq2[FindingGroup, error] {
	return all[FindingGroup](ctx, r.t, []string{"findings", "groups"}, params, options)
}

// Timeline requests one page of the changes of a finding and the comments on it.
func (r *Findings) Timeline(ctx context.Context, id string, params FindingTimelineParams, options ...CallOption) (*Page[TimelineEntry], error) {
	return list[TimelineEntry](ctx, r.t, []string{"findings", id, "timeline"}, params, options)
}

// AllTimeline yields the changes of a finding and the comments on it, of all pages.
func (r *Findings) AllTimeline(ctx context.Context, id string, params FindingTimelineParams, options ...CallOption) iter.Seq2[TimelineEntry, error] {
	return all[TimelineEntry](ctx, r.t, []string{"findings", id, "timeline"}, params, options)
}

// UpdateComment edits a comment. Replaces the text of a comment that you wrote.
func (r *Findings) UpdateComment(ctx context.Context, id, commentID string, params FindingCommentUpdate, options ...CallOption) (*FindingComment, error) {
	return do[FindingComment](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"findings", id, "comment", commentID}, body: params}, options)
}

// DeleteComment deletes a comment. Removes the text of a comment that you wrote.
func (r *Findings) DeleteComment(ctx context.Context, id, commentID string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"findings", id, "comment", commentID}}, options)
}

// Export exports the list of findings. Save it, copy it, or read and close it.
func (r *Findings) Export(ctx context.Context, params FindingExportParams, options ...CallOption) (*Content, error) {
	return open(ctx, r.t, &spec{method: http.MethodGet, path: []string{"findings", "export"}, query: params, accept: "*/*"}, r.t.call(options))
}

// DetectionSources: the connected scanners.
type DetectionSources struct{ t *transport }

// List requests one page of detection sources. The connected scanners, and whether each can run now.
func (r *DetectionSources) List(ctx context.Context, params DetectionSourceListParams, options ...CallOption) (*Page[DetectionSource], error) {
	return list[DetectionSource](ctx, r.t, []string{"detection-sources"}, params, options)
}

// All yields detection sources, of all pages.
func (r *DetectionSources) All(ctx context.Context, params DetectionSourceListParams, options ...CallOption) iter.Seq2[DetectionSource, error] {
	return all[DetectionSource](ctx, r.t, []string{"detection-sources"}, params, options)
}

// Scan starts a scan.
func (r *DetectionSources) Scan(ctx context.Context, kind string, params ScanStartParams, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: []string{"detection-sources", kind, "scan"}, query: params}, options)
}

// Scans: scans and imports.
type Scans struct{ t *transport }

// List requests one page of scans. Newest first.
func (r *Scans) List(ctx context.Context, params ScanListParams, options ...CallOption) (*Page[Scan], error) {
	return list[Scan](ctx, r.t, []string{"scans"}, params, options)
}

// All yields scans, of all pages.
func (r *Scans) All(ctx context.Context, params ScanListParams, options ...CallOption) iter.Seq2[Scan, error] {
	return all[Scan](ctx, r.t, []string{"scans"}, params, options)
}

// Get gets a scan. Its progress, and what it found.
func (r *Scans) Get(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scans", id}}, options)
}

// Cancel cancels a scan. Ends an unfinished scan. What it has found stays; nothing is closed.
func (r *Scans) Cancel(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	return do[Scan](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scans", id, "cancel"}}, options)
}

// Targets requests one page of the targets of a scan.
func (r *Scans) Targets(ctx context.Context, id string, params ScanTargetListParams, options ...CallOption) (*Page[ScanTarget], error) {
	return list[ScanTarget](ctx, r.t, []string{"scans", id, "targets"}, params, options)
}

// AllTargets yields the targets of a scan, of all pages.
func (r *Scans) AllTargets(ctx context.Context, id string, params ScanTargetListParams, options ...CallOption) iter.Seq2[ScanTarget, error] {
	return all[ScanTarget](ctx, r.t, []string{"scans", id, "targets"}, params, options)
}

// ScanSchedules: scans at regular times.
type ScanSchedules struct{ t *transport }

// List requests one page of schedules. Returns a page of scan schedules, newest first.
func (r *ScanSchedules) List(ctx context.Context, params ScanScheduleListParams, options ...CallOption) (*Page[ScanSchedule], error) {
	return list[ScanSchedule](ctx, r.t, []string{"scan-schedules"}, params, options)
}

// All yields schedules, of all pages.
func (r *ScanSchedules) All(ctx context.Context, params ScanScheduleListParams, options ...CallOption) iter.Seq2[ScanSchedule, error] {
	return all[ScanSchedule](ctx, r.t, []string{"scan-schedules"}, params, options)
}

// Create creates a schedule. Scans whenever `cron` is due.
func (r *ScanSchedules) Create(ctx context.Context, params ScanScheduleCreation, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scan-schedules"}, body: params}, options)
}

// Get gets a schedule. Returns a scan schedule.
func (r *ScanSchedules) Get(ctx context.Context, id string, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scan-schedules", id}}, options)
}

// Update updates a schedule. Updates the fields in the body.
func (r *ScanSchedules) Update(ctx context.Context, id string, params ScanScheduleUpdate, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"scan-schedules", id}, body: params}, options)
}

// Delete deletes a schedule. Deletes a scan schedule. The scans that it started are kept.
func (r *ScanSchedules) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"scan-schedules", id}}, options)
}

// Preview previews a timetable.
func (r *ScanSchedules) Preview(ctx context.Context, params TimetablePreviewRequest, options ...CallOption) (*TimetablePreview, error) {
	return do[TimetablePreview](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scan-schedules", "preview"}, body: params}, options)
}

// Reports: the findings at one moment, in any format.
type Reports struct{ t *transport }

// List requests one page of reports. Returns a page of reports, newest first.
func (r *Reports) List(ctx context.Context, params ReportListParams, options ...CallOption) (*Page[Report], error) {
	return list[Report](ctx, r.t, []string{"reports"}, params, options)
}

// All yields reports, of all pages.
func (r *Reports) All(ctx context.Context, params ReportListParams, options ...CallOption) iter.Seq2[Report, error] {
	return all[Report](ctx, r.t, []string{"reports"}, params, options)
}

// Create generates a report. Creates a report on the findings that match the filters now.
func (r *Reports) Create(ctx context.Context, params ReportCreation, options ...CallOption) (*Report, error) {
	return do[Report](ctx, r.t, &spec{method: http.MethodPost, path: []string{"reports"}, body: params}, options)
}

// Get gets a report. Returns the status of a report and its figures.
func (r *Reports) Get(ctx context.Context, id string, options ...CallOption) (*Report, error) {
	return do[Report](ctx, r.t, &spec{method: http.MethodGet, path: []string{"reports", id}}, options)
}

// Update reviews a report or make it final.
func (r *Reports) Update(ctx context.Context, id string, params ReportUpdate, options ...CallOption) (*Report, error) {
	return do[Report](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"reports", id}, body: params}, options)
}

// Delete deletes a report.
func (r *Reports) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"reports", id}}, options)
}

// Export exports a report. Returns the report as a file. Save it, copy it, or read and close it.
func (r *Reports) Export(ctx context.Context, id string, params ReportExportParams, options ...CallOption) (*Content, error) {
	return open(ctx, r.t, &spec{method: http.MethodGet, path: []string{"reports", id, "export"}, query: params, accept: "*/*"}, r.t.call(options))
}

// ScheduledReports: reports that are created and mailed at regular times.
type ScheduledReports struct{ t *transport }

// List requests one page of scheduled reports. Returns a page of scheduled reports, newest first.
func (r *ScheduledReports) List(ctx context.Context, params ScheduledReportListParams, options ...CallOption) (*Page[ScheduledReport], error) {
	return list[ScheduledReport](ctx, r.t, []string{"scheduled-reports"}, params, options)
}

// All yields scheduled reports, of all pages.
func (r *ScheduledReports) All(ctx context.Context, params ScheduledReportListParams, options ...CallOption) iter.Seq2[ScheduledReport, error] {
	return all[ScheduledReport](ctx, r.t, []string{"scheduled-reports"}, params, options)
}

// Create creates a scheduled report.
func (r *ScheduledReports) Create(ctx context.Context, params ScheduledReportCreation, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scheduled-reports"}, body: params}, options)
}

// Get gets a scheduled report. Returns a scheduled report.
func (r *ScheduledReports) Get(ctx context.Context, id string, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scheduled-reports", id}}, options)
}

// Update updates a scheduled report. Updates the fields in the body.
func (r *ScheduledReports) Update(ctx context.Context, id string, params ScheduledReportUpdate, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"scheduled-reports", id}, body: params}, options)
}

// Delete deletes a scheduled report. Deletes a scheduled report.
func (r *ScheduledReports) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"scheduled-reports", id}}, options)
}

// Deliveries requests one page of the mails of a scheduled report.
func (r *ScheduledReports) Deliveries(ctx context.Context, id string, params ReportDeliveryListParams, options ...CallOption) (*Page[ReportDelivery], error) {
	return list[ReportDelivery](ctx, r.t, []string{"scheduled-reports", id, "deliveries"}, params, options)
}

// AllDeliveries yields the mails of a scheduled report, of all pages.
func (r *ScheduledReports) AllDeliveries(ctx context.Context, id string, params ReportDeliveryListParams, options ...CallOption) iter.Seq2[ReportDelivery, error] {
	return all[ReportDelivery](ctx, r.t, []string{"scheduled-reports", id, "deliveries"}, params, options)
}

// DataSources: the targets of scans and imports.
type DataSources struct{ t *transport }

// List requests one page of data sources.
func (r *DataSources) List(ctx context.Context, params DataSourceListParams, options ...CallOption) (*Page[DataSource], error) {
	return list[DataSource](ctx, r.t, []string{"data-sources"}, params, options)
}

// All yields data sources, of all pages.
func (r *DataSources) All(ctx context.Context, params DataSourceListParams, options ...CallOption) iter.Seq2[DataSource, error] {
	return all[DataSource](ctx, r.t, []string{"data-sources"}, params, options)
}

// Create adds a data source. Adds a target to scan.
func (r *DataSources) Create(ctx context.Context, params DataSourceCreation, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodPost, path: []string{"data-sources"}, body: params}, options)
}

// Get gets a data source. Returns a data source.
func (r *DataSources) Get(ctx context.Context, id string, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodGet, path: []string{"data-sources", id}}, options)
}

// Update updates a data source.
func (r *DataSources) Update(ctx context.Context, id string, params DataSourceUpdate, options ...CallOption) (*DataSource, error) {
	return do[DataSource](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"data-sources", id}, body: params}, options)
}

// Delete deletes a data source.
func (r *DataSources) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"data-sources", id}}, options)
}

// Test tests a data source.
func (r *DataSources) Test(ctx context.Context, params DataSourceCreation, options ...CallOption) (*ConnectionTest, error) {
	return do[ConnectionTest](ctx, r.t, &spec{method: http.MethodPost, path: []string{"data-sources", "test"}, body: params}, options)
}

// Suggestions requests one page of suggested data sources.
func (r *DataSources) Suggestions(ctx context.Context, params DataSourceSuggestionListParams, options ...CallOption) (*Page[DataSourceSuggestion], error) {
	return list[DataSourceSuggestion](ctx, r.t, []string{"data-sources", "suggestions"}, params, options)
}

// AllSuggestions yields suggested data sources, of all pages.
func (r *DataSources) AllSuggestions(ctx context.Context, params DataSourceSuggestionListParams, options ...CallOption) iter.Seq2[DataSourceSuggestion, error] {
	return all[DataSourceSuggestion](ctx, r.t, []string{"data-sources", "suggestions"}, params, options)
}

// Imports: results and SBOMs of other scanners.
type Imports struct{ t *transport }

// OrganizationResource: the organization that the token belongs to.
type OrganizationResource struct {
	t           *transport
	Members     *Members
	Invitations *Invitations
}

// Get gets the current organization.
func (r *OrganizationResource) Get(ctx context.Context, options ...CallOption) (*Organization, error) {
	return do[Organization](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization"}}, options)
}

// Installation checks the installation.
func (r *OrganizationResource) Installation(ctx context.Context, options ...CallOption) (*Installation, error) {
	return do[Installation](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization", "installation"}}, options)
}

// Update renames the organization. Changes the name. The plan and the rate limit are set by the operator.
func (r *OrganizationResource) Update(ctx context.Context, params OrganizationUpdate, options ...CallOption) (*Organization, error) {
	return do[Organization](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"organization"}, body: params}, options)
}

// Policy gets the policy.
func (r *OrganizationResource) Policy(ctx context.Context, options ...CallOption) (*Policy, error) {
	return do[Policy](ctx, r.t, &spec{method: http.MethodGet, path: []string{"organization", "policy"}}, options)
}

// ReplacePolicy replaces the policy.
func (r *OrganizationResource) ReplacePolicy(ctx context.Context, params PolicyReplacement, options ...CallOption) (*Policy, error) {
	return do[Policy](ctx, r.t, &spec{method: http.MethodPut, path: []string{"organization", "policy"}, body: params}, options)
}

// PreviewPolicy previews other days to fix.
func (r *OrganizationResource) PreviewPolicy(ctx context.Context, params PolicyPreviewRequest, options ...CallOption) (*PolicyPreview, error) {
	return do[PolicyPreview](ctx, r.t, &spec{method: http.MethodPost, path: []string{"organization", "policy", "preview"}, body: params}, options)
}

// ProfileResource: the person who calls: for a session of the console only.
type ProfileResource struct {
	t           *transport
	Tokens      *Tokens
	Sessions    *Sessions
	TwoFactor   *TwoFactor
	Passkeys    *Passkeys
	Preferences *PreferencesResource
}

// Get gets your profile.
func (r *ProfileResource) Get(ctx context.Context, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodGet, path: []string{"profile"}}, options)
}

// Update changes your name or organization.
func (r *ProfileResource) Update(ctx context.Context, params ProfileUpdate, options ...CallOption) (*Profile, error) {
	return do[Profile](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"profile"}, body: params}, options)
}

// ChangePassword changes your password. Ends all your other sessions, and renews the cookie of this one.
func (r *ProfileResource) ChangePassword(ctx context.Context, params PasswordChange, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPut, path: []string{"profile", "password"}, body: params}, options)
}

// ChangeEmail changes your email address. Mails a link to the new address.
func (r *ProfileResource) ChangeEmail(ctx context.Context, params EmailChange, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodPost, path: []string{"profile", "email"}, body: params}, options)
}

// Rules: the rules that findings have.
type Rules struct{ t *transport }

// List requests one page of the rules that findings have.
func (r *Rules) List(ctx context.Context, params RuleListParams, options ...CallOption) (*Page[KnownRule], error) {
	return list[KnownRule](ctx, r.t, []string{"rules"}, params, options)
}

// All yields the rules that findings have, of all pages.
func (r *Rules) All(ctx context.Context, params RuleListParams, options ...CallOption) iter.Seq2[KnownRule, error] {
	return all[KnownRule](ctx, r.t, []string{"rules"}, params, options)
}

// Tags: the tags that findings have.
type Tags struct{ t *transport }

// List requests one page of the tags that findings have. In alphabetical order, for choosing one.
func (r *Tags) List(ctx context.Context, params TagListParams, options ...CallOption) (*Page[KnownTag], error) {
	return list[KnownTag](ctx, r.t, []string{"tags"}, params, options)
}

// All yields the tags that findings have, of all pages.
func (r *Tags) All(ctx context.Context, params TagListParams, options ...CallOption) iter.Seq2[KnownTag, error] {
	return all[KnownTag](ctx, r.t, []string{"tags"}, params, options)
}

// Events: what happens in the organization, as it happens.
type Events struct{ t *transport }

// AuditEvents: the audit log: who changed what, when, and from where.
type AuditEvents struct{ t *transport }

// List requests one page of audit events.
func (r *AuditEvents) List(ctx context.Context, params AuditEventListParams, options ...CallOption) (*Page[AuditEvent], error) {
	return list[AuditEvent](ctx, r.t, []string{"audit-events"}, params, options)
}

// All yields audit events, of all pages.
func (r *AuditEvents) All(ctx context.Context, params AuditEventListParams, options ...CallOption) iter.Seq2[AuditEvent, error] {
	return all[AuditEvent](ctx, r.t, []string{"audit-events"}, params, options)
}

// BulkOperations: changes of many findings at once, which can be undone for a while.
type BulkOperations struct{ t *transport }

// Undo undoes a bulk operation.
func (r *BulkOperations) Undo(ctx context.Context, id string, options ...CallOption) (*BulkOperation, error) {
	return do[BulkOperation](ctx, r.t, &spec{method: http.MethodPost, path: []string{"bulk-operations", id, "undo"}}, options)
}

// Get gets a bulk operation. Returns its progress and counts.
func (r *BulkOperations) Get(ctx context.Context, id string, options ...CallOption) (*BulkOperation, error) {
	return do[BulkOperation](ctx, r.t, &spec{method: http.MethodGet, path: []string{"bulk-operations", id}}, options)
}

// List requests one page of bulk operations. Returns the updates of many findings, newest first.
func (r *BulkOperations) List(ctx context.Context, params BulkOperationListParams, options ...CallOption) (*Page[BulkOperation], error) {
	return list[BulkOperation](ctx, r.t, []string{"bulk-operations"}, params, options)
}

// All yields bulk operations, of all pages.
func (r *BulkOperations) All(ctx context.Context, params BulkOperationListParams, options ...CallOption) iter.Seq2[BulkOperation, error] {
	return all[BulkOperation](ctx, r.t, []string{"bulk-operations"}, params, options)
}

// Decisions: statements about findings, present and future, with a scope, a reason and an end.
type Decisions struct{ t *transport }

// List requests one page of decisions.
func (r *Decisions) List(ctx context.Context, params DecisionListParams, options ...CallOption) (*Page[Decision], error) {
	return list[Decision](ctx, r.t, []string{"decisions"}, params, options)
}

// All yields decisions, of all pages.
func (r *Decisions) All(ctx context.Context, params DecisionListParams, options ...CallOption) iter.Seq2[Decision, error] {
	return all[Decision](ctx, r.t, []string{"decisions"}, params, options)
}

// Create decides about findings.
func (r *Decisions) Create(ctx context.Context, params DecisionCreation, options ...CallOption) (*Decision, error) {
	return do[Decision](ctx, r.t, &spec{method: http.MethodPost, path: []string{"decisions"}, body: params}, options)
}

// Preview previews a decision. Counts the findings in its scope, with ten samples. Writes nothing.
func (r *Decisions) Preview(ctx context.Context, params DecisionCreation, options ...CallOption) (*DecisionPreview, error) {
	params.DryRun = Ptr(true)
	return do[DecisionPreview](ctx, r.t, &spec{method: http.MethodPost, path: []string{"decisions"}, body: params}, options)
}

// Get gets a decision. Returns a decision with the number of findings for which it holds.
func (r *Decisions) Get(ctx context.Context, id string, options ...CallOption) (*Decision, error) {
	return do[Decision](ctx, r.t, &spec{method: http.MethodGet, path: []string{"decisions", id}}, options)
}

// Update changes a decision.
func (r *Decisions) Update(ctx context.Context, id string, params DecisionUpdate, options ...CallOption) (*Decision, error) {
	return do[Decision](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"decisions", id}, body: params}, options)
}

// Withdraw withdraws a decision. Ends a decision (role analyst), or your own request.
func (r *Decisions) Withdraw(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"decisions", id}}, options)
}

// Approve approves a requested decision. Turns the request of another person into an active decision.
func (r *Decisions) Approve(ctx context.Context, id string, params DecisionApproval, options ...CallOption) (*Decision, error) {
	return do[Decision](ctx, r.t, &spec{method: http.MethodPost, path: []string{"decisions", id, "approve"}, body: params}, options)
}

// Reject rejects a requested decision. Ends the request of another person without effect.
func (r *Decisions) Reject(ctx context.Context, id string, params DecisionRejection, options ...CallOption) (*Decision, error) {
	return do[Decision](ctx, r.t, &spec{method: http.MethodPost, path: []string{"decisions", id, "reject"}, body: params}, options)
}

// ApproveMany approves several requested decisions.
func (r *Decisions) ApproveMany(ctx context.Context, params DecisionApprovalsRequest, options ...CallOption) (*DecisionApprovals, error) {
	return do[DecisionApprovals](ctx, r.t, &spec{method: http.MethodPost, path: []string{"decisions", "approvals"}, body: params}, options)
}

// Views: saved views of the list of findings: filters, order and columns.
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

// Update changes a view. Replaces the fields in the body; `filter` as a whole.
func (r *Views) Update(ctx context.Context, id string, params ViewUpdate, options ...CallOption) (*View, error) {
	return do[View](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"views", id}, body: params}, options)
}

// Delete deletes a view. Deletes a view: a private one by its owner, a shared one by its owner or an admin.
func (r *Views) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"views", id}}, options)
}
