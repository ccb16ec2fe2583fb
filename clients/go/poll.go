package assay

import (
	"context"
	"time"
)

const (
	firstPollWait = 500 * time.Millisecond
	maxPollWait   = 5 * time.Second
)

// pollUntil polls until the work is done: first after half a second, then after growing waits of at most five seconds.
func pollUntil[T any](ctx context.Context, t *transport, look func() (*T, error), isDone func(*T) bool, options []CallOption) (*T, error) {
	maxWait := t.call(options).maxWait
	var waited time.Duration
	for wait := firstPollWait; ; wait = min(wait*3/2, maxPollWait) {
		value, err := look()
		if err != nil || isDone(value) {
			return value, err
		}
		if maxWait > 0 && waited+wait > maxWait {
			return nil, newError(ErrTimeout, "timeout", "It was not done within %v. The work continues: wait for it again.", maxWait)
		}
		if err := t.wait(ctx, wait); err != nil {
			return nil, err
		}
		waited += wait
	}
}

// Wait waits until a scan has ended, successfully or not: see its Status and Errors.
func (r *Scans) Wait(ctx context.Context, id string, options ...CallOption) (*Scan, error) {
	look := func() (*Scan, error) { return r.Get(ctx, id, options...) }
	return pollUntil(ctx, r.t, look, hasEnded, options)
}

func hasEnded(scan *Scan) bool {
	switch scan.Status {
	case ScanStatusCompleted, ScanStatusPartial, ScanStatusFailed, ScanStatusCancelled:
		return true
	default:
		return scan.CompletedAt != nil
	}
}

// Wait waits until a report is ready or has failed: see its Status and Error.
func (r *Reports) Wait(ctx context.Context, id string, options ...CallOption) (*Report, error) {
	look := func() (*Report, error) { return r.Get(ctx, id, options...) }
	isDone := func(report *Report) bool { return report.Status != ReportStatusPending }
	return pollUntil(ctx, r.t, look, isDone, options)
}
