package assay

import (
	"context"
	"iter"
	"net/http"
)

// ScanSchedules start scans at set times.
type ScanSchedules struct{ t *transport }

// List requests one page of scan schedules.
func (r *ScanSchedules) List(ctx context.Context, params ScanScheduleListParams, options ...CallOption) (*Page[ScanSchedule], error) {
	return list[ScanSchedule](ctx, r.t, []string{"scan-schedules"}, params, options)
}

// All yields scan schedules, of all pages.
func (r *ScanSchedules) All(ctx context.Context, params ScanScheduleListParams, options ...CallOption) iter.Seq2[ScanSchedule, error] {
	return all[ScanSchedule](ctx, r.t, []string{"scan-schedules"}, params, options)
}

// Create adds a scan schedule.
func (r *ScanSchedules) Create(ctx context.Context, params ScanScheduleCreation, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scan-schedules"}, body: params}, options)
}

// Get returns a scan schedule.
func (r *ScanSchedules) Get(ctx context.Context, id string, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodGet, path: []string{"scan-schedules", id}}, options)
}

// Update changes a scan schedule.
func (r *ScanSchedules) Update(ctx context.Context, id string, params ScanScheduleUpdate, options ...CallOption) (*ScanSchedule, error) {
	return do[ScanSchedule](ctx, r.t, &spec{method: http.MethodPatch, path: []string{"scan-schedules", id}, body: params}, options)
}

// Delete removes a scan schedule.
func (r *ScanSchedules) Delete(ctx context.Context, id string, options ...CallOption) error {
	return doNothing(ctx, r.t, &spec{method: http.MethodDelete, path: []string{"scan-schedules", id}}, options)
}

// Preview returns the times at which a schedule would run.
func (r *ScanSchedules) Preview(ctx context.Context, params TimetablePreviewRequest, options ...CallOption) (*TimetablePreview, error) {
	return do[TimetablePreview](ctx, r.t, &spec{method: http.MethodPost, path: []string{"scan-schedules", "preview"}, body: params}, options)
}
