package assay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
)

// Event is an event of the service.
type Event[T any] struct {
	Event string `json:"event"`
	Data  T      `json:"data"`
}

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
// without end. If the service closes a stream without end, that is not a failure.
func followEvents[T any](ctx context.Context, t *transport, path []string, last string, options []CallOption) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		call := t.call(options)
		s := &spec{method: http.MethodGet, path: path, accept: "text/event-stream"}
		lines := &lineReader{}
		for failures := 0; ; failures++ {
			content, err := open(ctx, t, s, call)
			if err == nil {
				var ended bool
				lines = &lineReader{source: bufio.NewReader(content), id: lines.lastID, lastID: lines.lastID}
				ended, err = readEvents(content, lines, last, func(event Event[T]) bool {
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
				if lines.lastID != "" {
					call.header.Set("Last-Event-ID", lines.lastID)
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
func readEvents[T any](content *Content, lines *lineReader, last string, give func(Event[T]) bool) (bool, error) {
	for {
		name, data, err := lines.nextEvent()
		if err == io.EOF {
			return false, errClosed
		}
		if err != nil {
			return false, err
		}
		event := Event[T]{Event: name}
		if err := json.Unmarshal([]byte(data), &event.Data); err != nil {
			return false, content.attempt.invalidResponse(content.response, err)
		}
		if !give(event) || name == last {
			return true, nil
		}
	}
}

// Follow yields the events of the organization without end: "scan", "report", "bulk_operation", "findings" and "reset". After an
// interruption it resumes behind the last event. Leaving the loop, or the context, ends it.
func (r *Events) Follow(ctx context.Context, options ...CallOption) iter.Seq2[Event[map[string]any], error] {
	return followEvents[map[string]any](ctx, r.t, []string{"events"}, "", options)
}

// Events yields the scan each time it changes ("progress"), and finally when it has ended ("end").
func (r *Scans) Events(ctx context.Context, id string, options ...CallOption) iter.Seq2[Event[Scan], error] {
	return followEvents[Scan](ctx, r.t, []string{"scans", id, "events"}, "end", options)
}
