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
	// ID is the position after the event, for [WithLastEventID]; empty where the stream has no positions.
	ID string `json:"id,omitempty"`
}

// EventData is the data of an event of the organization: a *ScanEvent, *ReportEvent, *BulkOperation, *FindingsEvent or
// *ResetEvent, or an UnknownEvent of a newer service. A switch of types tells them apart.
type EventData interface{ isEventData() }

// ResetEvent says that too much was missed: load again what you show.
type ResetEvent struct{}

// UnknownEvent is the data of an event whose name this version of the library does not know.
type UnknownEvent map[string]any

func (*ScanEvent) isEventData()     {}
func (*ReportEvent) isEventData()   {}
func (*BulkOperation) isEventData() {}
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

// endless is the number of retries of streams without end.
const endless = math.MaxInt

// lineReader reads lines with any line ends. An unfinished last line is ignored.
type lineReader struct {
	source *bufio.Reader
	line   []byte
	// After a carriage return, a line feed is the other half of the line end.
	skipFeed bool
	// The id of the last event, behind which a stream is resumed.
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

// errClosed is the end of a stream that the service closed.
var errClosed = newError(ErrConnection, "connection_error", "The events stopped before their end.")

// followEvents yields the events of an address up to the one named last, over as many connections as necessary; "" means
// without end, connected again for as long as the service is away. If the service closes such a stream, that is not a failure.
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

// Follow yields the events of the organization without end: "scan", "report", "bulk_operation", "findings" and "reset". It
// connects again for as long as the service is away, whatever WithMaxRetries says, and goes on behind the last event. Keep the ID
// of the last event that you have processed, and pass it with [WithLastEventID] to resume there within an hour. Leaving the loop
// or cancelling the context ends it, and so does an error that does not pass, such as a revoked token.
func (r *Events) Follow(ctx context.Context, options ...CallOption) iter.Seq2[Event[EventData], error] {
	return followEvents(ctx, r.t, []string{"events"}, "", decodeEventData, options)
}

// Events yields the scan each time it changes ("progress"), and finally when it has ended ("end").
func (r *Scans) Events(ctx context.Context, id string, options ...CallOption) iter.Seq2[Event[Scan], error] {
	return followEvents(ctx, r.t, []string{"scans", id, "events"}, "end", decodeData[Scan], options)
}
