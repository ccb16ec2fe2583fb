package assay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	random "math/rand/v2"
	"net/http"
	"time"
)

const (
	maxRetryAfter = time.Minute
	maxBackoff    = 8 * time.Second
)

// spec is a request below the base address.
type spec struct {
	method string
	// Segments of the path, not yet encoded.
	path   []string
	query  any
	body   any
	upload *upload
	accept string
	// Whether the request must not be repeated if an earlier attempt may have taken effect.
	once bool
	// Whether the service honours an idempotency key, as it does with every POST: a repetition then has no further effect.
	keyed bool
}

// transport sends requests with their token, retries and time limits.
type transport struct{ *settings }

type reader func(*http.Response, *attempt) error

// backoff is half a second, doubled with each retry up to eight, shortened by up to half at random.
func backoff(retry int) time.Duration {
	full := min(500*time.Millisecond<<min(retry, 10), maxBackoff)
	return full/2 + random.N(full/2+1)
}

func (t *transport) call(options []CallOption) *callSettings {
	s := &callSettings{shared: t.shared, pollInterval: 10 * time.Second}
	s.header = s.header.Clone()
	for _, option := range options {
		option.applyToCall(s)
	}
	return s
}

func (t *transport) wait(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.sleep(ctx, wait)
}

// isRetryable reports whether another attempt is allowed and may succeed.
func isRetryable(err error, s *spec) bool {
	e := asError(err)
	switch {
	case e == nil || s.upload != nil && !s.upload.isReplayable():
		return false
	case errors.Is(e, ErrConnection):
		return !s.once
	case e.Status == http.StatusTooManyRequests || e.Code == "idempotency_in_progress":
		return true
	default:
		return errors.Is(e, ErrStatus) && !s.once && (e.Status == http.StatusRequestTimeout || e.Status >= 500)
	}
}

// send sends a request, with retries, until read accepts a response.
func (t *transport) send(ctx context.Context, s *spec, call *callSettings, read reader) error {
	url, err := t.url(s)
	if err != nil {
		return err
	}
	var body []byte
	if s.body != nil {
		if body, err = json.Marshal(s.body); err != nil {
			return invalidArgument("The parameters can't be written as JSON: %v", err)
		}
	}
	header := t.requestHeader(s, call)
	for retry := 0; ; retry++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := t.attempt(ctx, s, call, url, header, body, retry+1, read)
		if err == nil || ctx.Err() != nil || retry >= call.maxRetries || !isRetryable(err, s) {
			return err
		}
		e := asError(err)
		if e.RetryAfter > maxRetryAfter && call.maxRetries != endless {
			return err
		}
		wait := e.RetryAfter
		if !e.mustWait {
			wait = backoff(retry)
		}
		t.log(LogEntry{Event: "retry", Method: s.method, URL: url, Attempt: retry + 1, Wait: wait, Message: e.Message})
		if err := t.wait(ctx, wait); err != nil {
			return err
		}
	}
}

func (t *transport) attempt(
	ctx context.Context, s *spec, call *callSettings, url string, header http.Header, body []byte, number int, read reader,
) (err error) {
	started := time.Now()
	entry := LogEntry{Method: s.method, URL: url, Attempt: number}
	report := func(event string) {
		entry.Event, entry.Duration = event, time.Since(started)
		t.log(entry)
	}
	a := newAttempt(ctx, call.timeout, t.token)
	defer func() {
		if err == nil {
			return
		}
		a.end()
		if !errors.Is(err, ErrStatus) {
			entry.Message = err.Error()
			report("failure")
		}
	}()
	request, err := http.NewRequestWithContext(a.ctx, s.method, url, bodyReader(body))
	if err != nil {
		return invalidArgument("The address can't be requested: %v", err)
	}
	request.Header = header.Clone()
	if s.upload != nil {
		file, err := s.upload.open(a, call.progress)
		if err != nil {
			return err
		}
		defer file.release()
		file.attach(request)
	}
	response, err := t.transport.RoundTrip(request)
	if err != nil {
		return a.explain(err)
	}
	if response.Body == nil {
		response.Body = http.NoBody
	}
	entry.Status, entry.RequestID = response.StatusCode, response.Header.Get("X-Request-Id")
	report("response")
	if call.response != nil {
		*call.response = Response{response.StatusCode, response.Header, entry.RequestID}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		text, err := a.readAll(response)
		if err != nil {
			return err
		}
		return statusError(response, bytes.ReplaceAll(text, []byte(t.token()), []byte("[redacted]")))
	}
	return read(response, a)
}

func bodyReader(body []byte) io.Reader {
	if body == nil {
		return nil
	}
	return bytes.NewReader(body)
}

func (t *transport) requestHeader(s *spec, call *callSettings) http.Header {
	header := http.Header{}
	header.Set("Accept", "application/json")
	if s.accept != "" {
		header.Set("Accept", s.accept)
	}
	header.Set("User-Agent", "assay-go/"+Version)
	header.Set("Authorization", "Bearer "+t.token())
	if s.body != nil {
		header.Set("Content-Type", "application/json")
	}
	if s.upload != nil {
		header.Set("Content-Type", "application/octet-stream")
	}
	if s.method == http.MethodPost || s.keyed {
		key := call.idempotencyKey
		if key == "" {
			key = newKey()
		}
		header.Set("Idempotency-Key", key)
	}
	if call.ifMatch != "" {
		header.Set("If-Match", call.ifMatch)
	}
	for name, values := range call.header {
		header[name] = values
	}
	return header
}

func newKey() string {
	var key [16]byte
	_, _ = rand.Read(key[:])
	return hex.EncodeToString(key[:])
}

// do sends a request and returns its parsed JSON.
func do[T any](ctx context.Context, t *transport, s *spec, options []CallOption) (*T, error) {
	var result *T
	err := t.send(ctx, s, t.call(options), func(response *http.Response, a *attempt) error {
		defer a.end()
		text, err := a.readAll(response)
		if err != nil {
			return err
		}
		result = new(T)
		if err := json.Unmarshal(text, result); err != nil {
			return a.invalidResponse(response, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// doNothing sends a request whose response has no body.
func doNothing(ctx context.Context, t *transport, s *spec, options []CallOption) error {
	return t.send(ctx, s, t.call(options), func(response *http.Response, a *attempt) error {
		defer a.end()
		_, err := a.readAll(response)
		return err
	})
}
