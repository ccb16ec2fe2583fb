package assay

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

var errTimedOut = errors.New("timed out")

// attempt is one attempt of a request, with its time limit and its cancellation.
type attempt struct {
	ctx     context.Context
	caller  context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	timeout time.Duration
	token   func() string
}

func newAttempt(caller context.Context, timeout time.Duration, token func() string) *attempt {
	ctx, cancel := context.WithCancelCause(caller)
	a := &attempt{ctx: ctx, caller: caller, cancel: cancel, timeout: timeout, token: token}
	a.timer = time.AfterFunc(timeout, func() { cancel(errTimedOut) })
	return a
}

// startClock restarts the time limit when data has arrived.
func (a *attempt) startClock() { a.timer.Reset(a.timeout) }

func (a *attempt) stopClock() { a.timer.Stop() }

// end releases the attempt's resources; an unfinished response is closed.
func (a *attempt) end() {
	a.timer.Stop()
	a.cancel(nil)
}

// explain returns the error that the caller gets for a failure to send or to read.
func (a *attempt) explain(err error) error {
	if callerErr := a.caller.Err(); callerErr != nil {
		return callerErr
	}
	if known := asError(err); known != nil {
		return known
	}
	if context.Cause(a.ctx) == errTimedOut {
		return newError(ErrTimeout, "timeout", "There was no response within %v. Is the service busy? See WithTimeout.", a.timeout)
	}
	text := err.Error()
	if strings.Contains(text, a.token()) {
		return newError(ErrConnection, "connection_error", "The connection failed.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		text = "the response was cut short"
	}
	e := newError(ErrConnection, "connection_error", "The connection failed: %s", text)
	e.cause = err
	return e
}

// invalidResponse returns the error of a successful response that can't be parsed.
func (a *attempt) invalidResponse(response *http.Response, cause error) error {
	reason := strings.ReplaceAll(cause.Error(), a.token(), "[redacted]")
	e := newError(ErrInvalidResponse, "invalid_response",
		"The response is not the JSON that was expected: %s. Is the base address that of Assay?", reason)
	e.Status, e.RequestID = response.StatusCode, response.Header.Get("X-Request-Id")
	return e
}

func (a *attempt) readAll(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, a.explain(err)
	}
	return text, nil
}
