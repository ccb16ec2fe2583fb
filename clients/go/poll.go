package assay

import (
	"context"
	"time"
)

const (
	firstPollWait = 500 * time.Millisecond
	maxPollWait   = 5 * time.Second
)

// pollUntil polls until the work is done: after half a second, then after longer and longer waits of at most five seconds.
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
