// Package journey runs the client against the real server that ASSAY_BASE_URL names.
package journey

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	assay "assay.dev/client"
)

// ok returns a value, and fails the test on an error.
func ok[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal[T comparable](t *testing.T, what string, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Fatalf("%s is %v, not %v.", what, found, wanted)
	}
}

func client(t *testing.T) (*assay.Client, context.Context) {
	t.Helper()
	return ok[*assay.Client](t)(assay.NewClient()), context.Background()
}

// collect collects what a sequence yields.
func collect[T any](t *testing.T, sequence func(func(T, error) bool)) []T {
	t.Helper()
	var items []T
	for item, err := range sequence {
		items = append(items, ok[T](t)(item, err))
	}
	return items
}

func TestARepositoryIsAddedAndScannedAndTheScanIsFollowedToItsEnd(t *testing.T) {
	c, ctx := client(t)
	dataSource := ok[*assay.DataSource](t)(c.DataSources.Create(ctx, assay.DataSourceCreation{
		Kind: assay.DataSourceKindGitRepository, Name: "payments",
		Config: &assay.DataSourceConfigCreation{URL: os.Getenv("REPOSITORY_URL")},
	}))
	equal(t, "The status", dataSource.Status, assay.DataSourceStatusNeverScanned)
	started := ok[*assay.Scan](t)(c.DetectionSources.Scan(ctx, "secrets", assay.ScanStartParams{DataSource: dataSource.ID}))
	events := collect(t, c.Scans.Events(ctx, started.ID))
	equal(t, "The last event", events[len(events)-1].Event, "end")
	scan := ok[*assay.Scan](t)(c.Scans.Wait(ctx, started.ID))
	equal(t, "The scan", scan.Status, assay.ScanStatusCompleted)
	equal(t, "The number of new findings", scan.Findings.New, 3)
}

func TestItsFindingsArePagedThroughFollowedAndCounted(t *testing.T) {
	c, ctx := client(t)
	page := ok[*assay.Page[assay.Finding]](t)(c.Findings.List(ctx, assay.FindingListParams{Limit: 2}))
	next := ok[*assay.Page[assay.Finding]](t)(page.NextPage(ctx))
	equal(t, "The second page", len(next.Data), 1)
	if last := ok[*assay.Page[assay.Finding]](t)(next.NextPage(ctx)); last != nil {
		t.Fatal("There is a third page.")
	}
	var ids, followed []string
	listed := assay.FindingListParams{Limit: 1, Status: []assay.FindingStatusFilter{assay.FindingStatusFilterNew}, From: assay.At(time.Unix(0, 0))}
	for _, finding := range collect(t, c.Findings.All(ctx, listed)) {
		ids = append(ids, finding.ID)
	}
	for finding, err := range c.Findings.Follow(ctx, assay.At(time.Unix(0, 0)), assay.FindingFollowParams{}) {
		if followed = append(followed, ok[assay.Finding](t)(finding, err).ID); len(followed) == 3 {
			break
		}
	}
	slices.Sort(ids)
	slices.Sort(followed)
	equal(t, "What was followed", strings.Join(followed, " "), strings.Join(ids, " "))
	summary := ok[*assay.FindingSummary](t)(c.Findings.Summary(ctx, assay.FindingSummaryParams{}))
	equal(t, "The total", summary.Total, 3)
}

func TestTheyAreTriagedAndWhatIsChangedMeanwhileIsNotOverwritten(t *testing.T) {
	c, ctx := client(t)
	findings := collect(t, c.Findings.All(ctx, assay.FindingListParams{}))
	index := slices.IndexFunc(findings, func(f assay.Finding) bool { return *f.Location.Path == "deploy.env" })
	id := findings[index].ID
	var response assay.Response
	_ = ok[*assay.FindingDetail](t)(c.Findings.Get(ctx, id, assay.WithResponse(&response)))
	ifMatch := assay.WithIfMatch(response.Header.Get("ETag"))
	change := assay.FindingUpdate{Status: assay.FindingStatusInProgress, Tags: []string{"pci", "Zürich"}}
	changed := ok[*assay.FindingDetail](t)(c.Findings.Update(ctx, id, change, ifMatch))
	equal(t, "The tags", strings.Join(changed.Tags, " "), "pci Zürich")
	if _, err := c.Findings.Update(ctx, id, change, ifMatch); !errors.Is(err, assay.ErrPreconditionFailed) {
		t.Fatal(err)
	}
	untagged := ok[*assay.FindingDetail](t)(c.Findings.Update(ctx, id, assay.FindingUpdate{Tags: []string{}, Assignee: assay.Null[string]()}))
	equal(t, "The number of tags", len(untagged.Tags), 0)
	comment := ok[*assay.FindingComment](t)(c.Findings.Comment(ctx, id, assay.FindingCommentCreation{Comment: "Rotating it."}))
	comments := collect(t, c.Findings.AllComments(ctx, id, assay.FindingCommentListParams{}))
	equal(t, "The comment", comments[0].ID, comment.ID)
	if len(collect(t, c.Findings.AllHistory(ctx, id, assay.FindingHistoryParams{}))) == 0 {
		t.Fatal("There is no history.")
	}
	result := ok[*assay.FindingBulkUpdateResult](t)(c.Findings.UpdateMany(ctx, assay.FindingBulkUpdate{
		Filter: &assay.FindingFilter{Status: []assay.FindingStatusFilter{assay.FindingStatusFilterNew}}, Status: assay.FindingStatusTriaged,
	}))
	equal(t, "The number of updates", result.Updated, 2)
}

func TestAReportOfThemIsMadeAndDownloadedInFull(t *testing.T) {
	c, ctx := client(t)
	created := ok[*assay.Report](t)(c.Reports.Create(ctx, assay.ReportCreation{Title: "July"}))
	report := ok[*assay.Report](t)(c.Reports.Wait(ctx, created.ID))
	equal(t, "The report", report.Status, assay.ReportStatusReady)
	equal(t, "The total", report.Summary.Total, 3)
	path := filepath.Join(t.TempDir(), "july.csv")
	csv := ok[*assay.Content](t)(c.Reports.Export(ctx, report.ID, assay.ReportExportParams{Format: assay.ReportFormatCSV}))
	if err := csv.SaveTo(path); err != nil || !strings.HasSuffix(csv.Filename, ".csv") {
		t.Fatal(csv.Filename, err)
	}
	text := ok[[]byte](t)(os.ReadFile(path))
	equal(t, "The number of lines", bytes.Count(text, []byte("\r\n")), 4)
	pdf := ok[*assay.Content](t)(c.Reports.Export(ctx, report.ID, assay.ReportExportParams{Format: assay.ReportFormatPDF}))
	var document bytes.Buffer
	_ = ok[int64](t)(pdf.WriteTo(&document))
	equal(t, "The beginning of the PDF", document.String()[:5], "%PDF-")
	if err := c.Reports.Delete(ctx, report.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Reports.Get(ctx, report.ID); !errors.Is(err, assay.ErrNotFound) {
		t.Fatal(err)
	}
}

func TestAScheduleAndAScheduledReportAreMadeChangedAndDeleted(t *testing.T) {
	c, ctx := client(t)
	schedule := ok[*assay.ScanSchedule](t)(c.ScanSchedules.Create(ctx, assay.ScanScheduleCreation{Source: "secrets", Cron: "@daily"}))
	schedule = ok[*assay.ScanSchedule](t)(c.ScanSchedules.Update(ctx, schedule.ID, assay.ScanScheduleUpdate{Enabled: assay.Ptr(false)}))
	equal(t, "Whether it is enabled", schedule.Enabled, false)
	mailed := ok[*assay.ScheduledReport](t)(c.ScheduledReports.Create(ctx, assay.ScheduledReportCreation{
		Cron: "@weekly", Recipients: []string{"ciso@example.com"},
	}))
	if err := errors.Join(c.ScanSchedules.Delete(ctx, schedule.ID), c.ScheduledReports.Delete(ctx, mailed.ID)); err != nil {
		t.Fatal(err)
	}
}

func TestAPersonIsInvitedAndTheInvitationWithdrawn(t *testing.T) {
	c, ctx := client(t)
	invitation := ok[*assay.NewInvitation](t)(c.Organization.Invitations.Create(ctx, assay.InvitationCreation{
		Email: "bob@example.com", Role: assay.RoleViewer,
	}))
	equal(t, "The invitation", invitation.Status, assay.InvitationStatusPending)
	if err := c.Organization.Invitations.Delete(ctx, invitation.ID); err != nil {
		t.Fatal(err)
	}
	members := collect(t, c.Organization.Members.All(ctx, assay.MemberListParams{}))
	equal(t, "The role", members[0].Role, assay.RoleOwner)
	equal(t, "The number of members", ok[*assay.Organization](t)(c.Organization.Get(ctx)).MemberCount, 1)
}

func TestWhatTheServiceRefusesSaysWhatWasWrong(t *testing.T) {
	c, ctx := client(t)
	_, err := c.Findings.List(ctx, assay.FindingListParams{Severity: []assay.SeverityFilter{"grave"}})
	var e *assay.Error
	if !errors.As(err, &e) || !errors.Is(err, assay.ErrBadRequest) || e.RequestID == "" {
		t.Fatal(err)
	}
	equal(t, "The field", e.Details[0].Field, "severity")
	if _, err := c.Profile.Tokens.List(ctx, assay.TokenListParams{}); !errors.Is(err, assay.ErrPermissionDenied) {
		t.Fatal(err)
	}
	stranger := ok[*assay.Client](t)(assay.NewClient(assay.WithToken("asy_stranger")))
	if _, err := stranger.Findings.List(ctx, assay.FindingListParams{}); !errors.Is(err, assay.ErrAuthentication) {
		t.Fatal(err)
	}
}
