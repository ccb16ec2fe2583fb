package assay

import (
	"context"
	"iter"
	"net/http"
)

// ScheduledReports create and mail reports at set times.
type ScheduledReports struct{ t *transport }

// List requests one page of scheduled reports.
func (r *ScheduledReports) List(ctx context.Context, params ScheduledReportListParams, options ...CallOption) (*Page[ScheduledReport], error) {
	return list[ScheduledReport](ctx, r.t, []string{"scheduled-reports"}, params, options)
}

// All yields scheduled reports, of all pages.
func (r *ScheduledReports) All(ctx context.Context, params ScheduledReportListParams, options ...CallOption) iter.Seq2[ScheduledReport, error] {
	return all[ScheduledReport](ctx, r.t, []string{"scheduled-reports"}, params, options)
}

// Create adds a scheduled report.
func (r *ScheduledReports) Create(ctx context.Context, params ScheduledReportCreation, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scheduled-reports"}, body: params}, options)
}

// Get returns a scheduled report.
func (r *ScheduledReports) Get(ctx context.Context, id string, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scheduled-reports", id}}, options)
}

// Update changes a scheduled report.
func (r *ScheduledReports) Update(ctx context.Context, id string, params ScheduledReportUpdate, options ...CallOption) (*ScheduledReport, error) {
	return do[ScheduledReport](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"scheduled-reports", id}, body: params}, options)
}

// Deliveries requests one page of the mails of the reports that it created, those of the newest first.
func (r *ScheduledReports) Deliveries(ctx context.Context, id string, params ReportDeliveryListParams, options ...CallOption) (*Page[ReportDelivery], error) {
	return list[ReportDelivery](ctx, r.t, []string{"scheduled-reports", id, "deliveries"}, params, options)
}

// AllDeliveries yields the mails of the reports that it created, of all pages.
func (r *ScheduledReports) AllDeliveries(ctx context.Context, id string, params ReportDeliveryListParams, options ...CallOption) iter.Seq2[ReportDelivery, error] {
	return all[ReportDelivery](ctx, r.t, []string{"scheduled-reports", id, "deliveries"}, params, options)
}

// Delete removes a scheduled report.
func (r *ScheduledReports) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"scheduled-reports", id}}, options)
}
