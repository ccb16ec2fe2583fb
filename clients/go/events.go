package assay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"net/http"
	"strings"
)

// Event is an event of the service.
type Event[T any] struct {
	Event string `json:"event"`
	Data  T      `json:"data"`
	// ID is the position after the event, for [WithLastEventID]; empty if the stream has no positions.
	ID string `json:"id,omitempty"`
}

// EventData is the data of an event of the organization: a *ScanEvent, *ReportEvent, *BulkOperation, *DecisionEvent,
// *FindingsEvent or *ResetEvent, or an UnknownEvent of a newer service. Distinguish them with a type switch.
type EventData interface{ isEventData() }

// ResetEvent means that too many events were missed: reload your data.
type ResetEvent struct{}

// UnknownEvent is the data of an event whose name is unknown to this version of the library.
type UnknownEvent map[string]any

func (*ScanEvent) isEventData()     {}
func (*ReportEvent) isEventData()   {}
func (*BulkOperation) isEventData() {}
func (*DecisionEvent) isEventData() {}
func (*FindingsEvent) isEventData() {}
func (*ResetEvent) isEventData()    {}
func (UnknownEvent) isEventData()   {}

func decodeEventData(name string, data []byte) (EventData, error) {
	var known EventData
	switch name {
	case "scan":
		known = &ScanEvent{}
	case "report":
		known = &ReportEvent{}
	case "bulk_operation":
		known = &BulkOperation{}
	case "decision":
		known = &DecisionEvent{}
	case "findings":
		known = &FindingsEvent{}
	case "reset":
		known = &ResetEvent{}
	default:
		unknown := UnknownEvent{}
		return unknown, json.Unmarshal(data, &unknown)
	}
	return known, json.Unmarshal(data, known)
}

func decodeData[T any](_ string, data []byte) (value T, err error) {
	err = json.Unmarshal(data, &value)
	return value, err
}

// endless is the number of retries of streams that never end.
const endless = math.MaxInt

// lineReader reads lines with any line endings. An unfinished last line is ignored.
type lineReader struct {
	source *bufio.Reader
	line   []byte
	// After a carriage return, a line feed is the other half of the line ending.
	skipFeed bool
	// The id of the last event, after which a stream resumes.
	id, lastID string
}

func (r *lineReader) next() (string, error) {
	for {
		c, err := r.source.ReadByte()
		if err != nil {
			return "", err
		}
		if c == '\n' && r.skipFeed {
			r.skipFeed = false
			continue
		}
		r.skipFeed = c == '\r'
		if c == '\n' || c == '\r' {
			line := string(r.line)
			r.line = r.line[:0]
			return line, nil
		}
		r.line = append(r.line, c)
	}
}

// nextEvent reads an event: its name and its data.
func (r *lineReader) nextEvent() (string, string, error) {
	name, data, hasData := "message", []string{}, false
	for {
		line, err := r.next()
		if err != nil {
			return "", "", err
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && hasData:
			r.lastID = r.id
			return name, strings.Join(data, "\n"), nil
		case line == "":
			name, r.lastID = "message", r.id
		case field == "event":
			name = value
		case field == "data":
			data, hasData = append(data, value), true
		case field == "id":
			r.id = value
		}
	}
}

// errClosed means that the service closed the stream.
var errClosed = newError(ErrConnection, "connection_error", "The events stopped before their end.")

// followEvents yields the events of an address up to the event named last, over as many connections as necessary. With
// "" it never ends and reconnects for as long as the service is unavailable; if the service closes such a stream, that
// is not a failure.
func followEvents[T any](
	ctx context.Context, t *transport, path []string, last string, decode func(string, []byte) (T, error), options []CallOption,
) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		call := t.call(options)
		s := &spec{method: http.MethodGet, path: path, accept: "text/event-stream"}
		if last == "" {
			call.maxRetries = endless
		}
		lines := &lineReader{lastID: call.lastEventID}
		for failures := 0; ; failures++ {
			if lines.lastID != "" {
				call.header.Set("Last-Event-ID", lines.lastID)
			}
			content, err := open(ctx, t, s, call)
			if err == nil {
				var ended bool
				lines = &lineReader{source: bufio.NewReader(content), id: lines.lastID, lastID: lines.lastID}
				ended, err = readEvents(content, lines, last, decode, func(event Event[T]) bool {
					failures = 0
					return yield(event, nil)
				})
				_ = content.Close()
				if ended {
					return
				}
				isClosed := last == "" && err == error(errClosed)
				if isClosed {
					failures = 0
				}
				if isClosed || errors.Is(err, ErrConnection) && failures < call.maxRetries {
					err = t.wait(ctx, backoff(failures))
				}
			}
			if err != nil {
				yield(Event[T]{}, err)
				return
			}
		}
	}
}

// readEvents yields the events of one connection, and reports whether the last event was among them.
func readEvents[T any](
	content *Content, lines *lineReader, last string, decode func(string, []byte) (T, error), give func(Event[T]) bool,
) (bool, error) {
	for {
		name, data, err := lines.nextEvent()
		if err == io.EOF {
			return false, errClosed
		}
		if err != nil {
			return false, err
		}
		event := Event[T]{Event: name, ID: lines.lastID}
		if event.Data, err = decode(name, []byte(data)); err != nil {
			return false, content.attempt.invalidResponse(content.response, err)
		}
		if !give(event) || name == last {
			return true, nil
		}
	}
}

// Follow yields the events of the organization indefinitely: "scan", "report", "bulk_operation", "findings" and
// "reset". It reconnects for as long as the service is unavailable, regardless of WithMaxRetries, and continues after
// the last event. Keep the ID of the last event that you have processed, and pass it with [WithLastEventID] to resume
// there within an hour. Leaving the loop, cancelling the context or a permanent error, such as a revoked token, ends
// it.
func (r *Events) Follow(ctx context.Context, options ...CallOption) iter.Seq2[Event[EventData], error] {
	return followEvents(ctx, r.t, []string{"events"}, "", decodeEventData, options)
}

// Events yields the scan each time it changes ("progress"), and finally when it has ended ("end").
func (r *Scans) Events(ctx context.Context, id string, options ...CallOption) iter.Seq2[Event[Scan], error] {
	return followEvents(ctx, r.t, []string{"scans", id, "events"}, "end", decodeData[Scan], options)
}
