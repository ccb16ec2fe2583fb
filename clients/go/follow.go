package assay

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
)

const followedPageSize = 200

// followFindings pages through the list in the order of change. At its end it requests the last page repeatedly, from
// the cursor before it. The service orders changes more finely than by the second and shows none out of order, so new
// ones are on that page or a later one.
func followFindings(
	ctx context.Context, t *transport, since Timestamp, params FindingFollowParams, options []CallOption,
) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		interval := t.call(options).pollInterval
		options := append(slices.Clone(options), WithMaxRetries(endless))
		query := FindingListParams{Sort: FindingSortUpdatedAt, UpdatedFrom: since, Limit: followedPageSize}
		copyFields(&query, params)
		latest := since
		// The items of the last page that were already yielded, as JSON by id.
		given := map[string]string{}
		for {
			page, err := list[Finding](ctx, t, []string{"findings"}, query, options)
			var e *Error
			if query.NextCursor != "" && errors.As(err, &e) && e.Code == "invalid_cursor" {
				query.NextCursor, query.UpdatedFrom = "", latest
				continue
			}
			if err != nil {
				yield(Finding{}, err)
				return
			}
			before := given
			given = map[string]string{}
			for _, finding := range page.Data {
				text, _ := json.Marshal(finding)
				given[finding.ID] = string(text)
				latest = At(finding.UpdatedAt)
				if before[finding.ID] != string(text) && !yield(finding, nil) {
					return
				}
			}
			if page.NextCursor != "" {
				query.NextCursor = page.NextCursor
			} else if err := t.wait(ctx, interval); err != nil {
				yield(Finding{}, err)
				return
			}
		}
	}
}

// copyFields copies the fields of one struct to those of the same names of another.
func copyFields(target, source any) {
	from, to := reflect.ValueOf(source), reflect.ValueOf(target).Elem()
	for i := range from.NumField() {
		to.FieldByName(from.Type().Field(i).Name).Set(from.Field(i))
	}
}

// Follow yields every finding that changes, from since on and indefinitely, each in its new state. It misses none.
// Store the UpdatedAt of the last finding that you have processed, and pass it as since to resume there; findings of
// that same second are yielded again. It continues for as long as the service is unavailable, regardless of
// WithMaxRetries. Leaving the loop, cancelling the context or a permanent error, such as a revoked token, ends it.
func (r *Findings) Follow(ctx context.Context, since Timestamp, params FindingFollowParams, options ...CallOption) iter.Seq2[Finding, error] {
	return followFindings(ctx, r.t, since, params, options)
}
