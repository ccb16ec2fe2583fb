package assay

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is the error of a request. No error contains the token.
type Error struct {
	// Status of the response; 0 without a response.
	Status int
	// Code is the error code for programs, such as "not_found"; empty for other responses, such as the error page of a proxy.
	Code string
	// Message says what is wrong and what is accepted.
	Message string
	// Details lists each invalid field or parameter.
	Details []ErrorDetail
	// RequestID identifies the request in the service's log.
	RequestID string
	// RetryAfter is the time to wait before the next attempt; 0 if the service did not send it.
	RetryAfter time.Duration

	class    *class
	cause    error
	mustWait bool
}

// class is a kind of error, for errors.Is. An error of a class is also of the class's base.
type class struct {
	name string
	base *class
}

func (c *class) Error() string { return "assay: " + c.name }

func newClass(name string, base error) error {
	var parent *class
	if base != nil {
		parent = base.(*class)
	}
	return &class{name, parent}
}

// The classes of errors, for errors.Is.
var (
	// ErrInvalidArgument means that an argument was refused before anything was sent.
	ErrInvalidArgument = newClass("invalid argument", nil)
	// ErrConnection means that there was no response or an incomplete one.
	ErrConnection = newClass("connection error", nil)
	// ErrTimeout is an ErrConnection: there was no response in time.
	ErrTimeout = newClass("timeout", ErrConnection)
	// ErrInvalidResponse is a success that is not JSON: the address is not that of Assay.
	ErrInvalidResponse = newClass("invalid response", nil)
	// ErrStatus is any response that is not a success. All errors below are ErrStatus too.
	ErrStatus               = newClass("status", nil)
	ErrBadRequest           = newClass("bad request", ErrStatus)
	ErrAuthentication       = newClass("authentication", ErrStatus)
	ErrPermissionDenied     = newClass("permission denied", ErrStatus)
	ErrNotFound             = newClass("not found", ErrStatus)
	ErrConflict             = newClass("conflict", ErrStatus)
	ErrPreconditionFailed   = newClass("precondition failed", ErrStatus)
	ErrPayloadTooLarge      = newClass("payload too large", ErrStatus)
	ErrUnsupportedMediaType = newClass("unsupported media type", ErrStatus)
	ErrRateLimit            = newClass("rate limit", ErrStatus)
	// ErrInternalServer is any 5xx.
	ErrInternalServer = newClass("internal server error", ErrStatus)
	// ErrServiceUnavailable is an ErrInternalServer.
	ErrServiceUnavailable = newClass("service unavailable", ErrInternalServer)
)

var classes = map[int]error{
	400: ErrBadRequest, 401: ErrAuthentication, 403: ErrPermissionDenied, 404: ErrNotFound, 409: ErrConflict,
	412: ErrPreconditionFailed, 413: ErrPayloadTooLarge, 415: ErrUnsupportedMediaType, 429: ErrRateLimit,
	503: ErrServiceUnavailable,
}

// Error returns the message, and the id of the request in the service's log.
func (e *Error) Error() string {
	text := "assay: " + e.Message
	var about []string
	if e.Status != 0 {
		about = append(about, strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		about = append(about, e.Code)
	}
	if e.RequestID != "" {
		about = append(about, "request "+e.RequestID)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return text
}

// Is reports whether the error is of a class such as ErrNotFound.
func (e *Error) Is(target error) bool {
	for c := e.class; c != nil; c = c.base {
		if error(c) == target {
			return true
		}
	}
	return false
}

// Unwrap returns the network error that caused this one, if any.
func (e *Error) Unwrap() error { return e.cause }

func newError(kind error, code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), class: kind.(*class)}
}

func invalidArgument(format string, args ...any) *Error {
	return newError(ErrInvalidArgument, "invalid_argument", format, args...)
}

// statusError returns the error for a response. body does not contain the token.
func statusError(response *http.Response, body []byte) *Error {
	var parsed struct {
		Error struct {
			Code      string        `json:"code"`
			Message   string        `json:"message"`
			Details   []ErrorDetail `json:"details"`
			RequestID string        `json:"request_id"`
		} `json:"error"`
	}
	// Responses of proxies have none of the fields of the service's errors.
	if json.Unmarshal(body, &parsed) != nil {
		parsed.Error.Code, parsed.Error.Message, parsed.Error.Details = "", "", nil
	}
	status := response.StatusCode
	e := &Error{
		Status: status, Code: parsed.Error.Code, Message: parsed.Error.Message, Details: parsed.Error.Details,
		RequestID: parsed.Error.RequestID,
	}
	if e.Message == "" && status == http.StatusRequestEntityTooLarge {
		// From a proxy: the service's own refusal has a message.
		e.Message = "A proxy in front of Assay refused the request (413): its limit for the size of a body is too low. " +
			"Send less at a time, or ask the operator to raise the limit, as docs/reverse-proxies.md says."
	} else if e.Message == "" {
		e.Message = fmt.Sprintf("The server responded with status %d.", status)
	}
	if e.RequestID == "" {
		e.RequestID = response.Header.Get("X-Request-Id")
	}
	kind, ok := classes[status]
	if !ok {
		kind = ErrStatus
		if status >= 500 {
			kind = ErrInternalServer
		}
	}
	e.class = kind.(*class)
	e.RetryAfter, e.mustWait = retryAfter(response.Header)
	return e
}

// retryAfter parses Retry-After by the server's clock; false if there is none or it can't be parsed.
func retryAfter(header http.Header) (time.Duration, bool) {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now)), true
}

// asError returns err as an *Error, or nil.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
