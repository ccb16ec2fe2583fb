package assay

import (
	"encoding/json"
	"strings"
	"time"
)

// Nullable is a field of a request that can be null. Unset, it is not sent.
type Nullable[T any] struct {
	value *T
	sent  bool
}

// Value returns a Nullable that has a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{value: &value, sent: true} }

// Null returns a Nullable that is sent as null.
func Null[T any]() Nullable[T] { return Nullable[T]{sent: true} }

// Get returns the value, and false if there is none.
func (n Nullable[T]) Get() (T, bool) {
	if n.value == nil {
		var none T
		return none, false
	}
	return *n.value, true
}

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	n.value, n.sent = nil, true
	return json.Unmarshal(data, &n.value)
}

func (n Nullable[T]) isSent() bool { return n.sent }

// Ptr returns a pointer to a value, for request fields whose zero value is meaningful.
func Ptr[T any](value T) *T { return &value }

// Timestamp is a time in a request: an RFC 3339 string, or the result of [At]. Filters also have relative ones: "7d" is
// in seven days.
type Timestamp string

// At converts a time to the service's form: in UTC, truncated to seconds.
func At(t time.Time) Timestamp { return Timestamp(t.UTC().Format("2006-01-02T15:04:05Z")) }

// Values is a list that the service may also send as one comma-separated string.
type Values[T ~string] []T

// UnmarshalJSON reads a list or a comma-separated string.
func (v *Values[T]) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return json.Unmarshal(data, (*[]T)(v))
	}
	*v = nil
	for _, part := range strings.Split(text, ",") {
		*v = append(*v, T(part))
	}
	return nil
}
