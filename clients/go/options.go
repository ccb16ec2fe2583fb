package assay

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// ClientOption is an option of NewClient.
type ClientOption interface{ applyToClient(*settings) }

// CallOption is an option of one call. It overrides that of the client.
type CallOption interface{ applyToCall(*callSettings) }

// Option is an option of a client or of one call.
type Option interface {
	ClientOption
	CallOption
}

// LogEntry is a client's report on a request. It never contains the token, a body or a header.
type LogEntry struct {
	// Event is "response", "failure" or "retry".
	Event  string
	Method string
	URL    string
	// Attempt is 1 for the first.
	Attempt   int
	Status    int
	RequestID string
	Duration  time.Duration
	// Wait is the wait before a retry.
	Wait time.Duration
	// Message describes the failure.
	Message string
}

// Progress is the progress of an upload.
type Progress struct {
	SentBytes int64
	// TotalBytes is -1 if unknown, as for a stream.
	TotalBytes int64
}

// Response is a response's metadata.
type Response struct {
	Status    int
	Header    http.Header
	RequestID string
}

// TransportFunc is a function as an http.RoundTripper.
type TransportFunc func(*http.Request) (*http.Response, error)

// RoundTrip sends a request.
func (f TransportFunc) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// shared contains the settings that clients and calls have in common.
type shared struct {
	timeout    time.Duration
	maxRetries int
	header     http.Header
}

type settings struct {
	shared
	// A function, so that printing the client does not reveal the token.
	token     func() string
	baseURL   string
	transport http.RoundTripper
	log       func(LogEntry)
	sleep     func(context.Context, time.Duration) error
}

type callSettings struct {
	shared
	idempotencyKey string
	ifMatch        string
	lastEventID    string
	pollInterval   time.Duration
	maxWait        time.Duration
	progress       func(Progress)
	response       *Response
}

type clientOption func(*settings)

func (o clientOption) applyToClient(s *settings) { o(s) }

type callOption func(*callSettings)

func (o callOption) applyToCall(s *callSettings) { o(s) }

type sharedOption func(*shared)

func (o sharedOption) applyToClient(s *settings)   { o(&s.shared) }
func (o sharedOption) applyToCall(s *callSettings) { o(&s.shared) }

// WithToken sets the API token; the default is ASSAY_TOKEN of the environment.
func WithToken(token string) ClientOption {
	return clientOption(func(s *settings) { s.token = func() string { return token } })
}

// WithBaseURL sets the address of Assay, with or without /api/v1; the default is ASSAY_BASE_URL of the environment.
func WithBaseURL(url string) ClientOption { return clientOption(func(s *settings) { s.baseURL = url }) }

// WithTransport replaces http.DefaultTransport. For a plain function, see TransportFunc.
func WithTransport(transport http.RoundTripper) ClientOption {
	return clientOption(func(s *settings) { s.transport = transport })
}

// WithLog sets a function that is called after every attempt and before every retry.
func WithLog(log func(LogEntry)) ClientOption { return clientOption(func(s *settings) { s.log = log }) }

// WithSleep replaces the wait between attempts and polls, for tests. It must return when the context ends.
func WithSleep(sleep func(context.Context, time.Duration) error) ClientOption {
	return clientOption(func(s *settings) { s.sleep = sleep })
}

// WithTimeout sets the time for one attempt, a minute by default; for uploads and downloads, for each pause between bytes.
// A whole call is limited by its context.
func WithTimeout(timeout time.Duration) Option {
	return sharedOption(func(s *shared) { s.timeout = timeout })
}

// WithMaxRetries sets the maximum number of retries of a failed request, 2 by default.
func WithMaxRetries(retries int) Option {
	return sharedOption(func(s *shared) { s.maxRetries = retries })
}

// WithHeader sends a header with every request.
func WithHeader(name, value string) Option {
	return sharedOption(func(s *shared) { s.header.Set(name, value) })
}

// WithIdempotencyKey sets the key of a POST or of Findings.UpdateMany: the same key takes effect once. By default each
// call has its own, which its retries share.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(s *callSettings) { s.idempotencyKey = key })
}

// WithIfMatch sets the ETag of the resource to change. If the resource has changed since, the call fails with
// ErrPreconditionFailed.
func WithIfMatch(etag string) CallOption {
	return callOption(func(s *callSettings) { s.ifMatch = etag })
}

// WithLastEventID makes Events.Follow continue after the event with this ID.
func WithLastEventID(id string) CallOption {
	return callOption(func(s *callSettings) { s.lastEventID = id })
}

// WithPollInterval sets the pause between two polls of Follow, ten seconds by default.
func WithPollInterval(pause time.Duration) CallOption {
	return callOption(func(s *callSettings) { s.pollInterval = pause })
}

// WithMaxWait limits the total time of a Wait. By default there is no limit.
func WithMaxWait(wait time.Duration) CallOption {
	return callOption(func(s *callSettings) { s.maxWait = wait })
}

// WithProgress sets a function that is called while an upload is sent.
func WithProgress(progress func(Progress)) CallOption {
	return callOption(func(s *callSettings) { s.progress = progress })
}

// WithResponse stores the status and headers of the call's response, such as its ETag.
func WithResponse(response *Response) CallOption {
	return callOption(func(s *callSettings) { s.response = response })
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readOptions returns the options with their defaults, or an error for an invalid option.
func readOptions(options []ClientOption) (*settings, error) {
	token := strings.TrimSpace(os.Getenv("ASSAY_TOKEN"))
	s := &settings{
		shared:    shared{timeout: time.Minute, maxRetries: 2, header: http.Header{}},
		token:     func() string { return token },
		baseURL:   strings.TrimSpace(os.Getenv("ASSAY_BASE_URL")),
		transport: http.DefaultTransport,
		log:       func(LogEntry) {},
		sleep:     pause,
	}
	for _, option := range options {
		option.applyToClient(s)
	}
	given := s.token()
	if given == "" {
		return nil, invalidArgument("Give a token by WithToken, or set ASSAY_TOKEN.")
	}
	if strings.ContainsFunc(given, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, invalidArgument("The token has characters that no token has.")
	}
	s.baseURL = strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(s.baseURL), "/"), "/api/v1") + "/api/v1"
	address, err := url.Parse(s.baseURL)
	if err != nil {
		return nil, invalidArgument("The base URL is no address.")
	}
	if (address.Scheme != "https" && address.Scheme != "http") || address.Host == "" {
		return nil, invalidArgument("Give the address with https:// by WithBaseURL, or set ASSAY_BASE_URL.")
	}
	return s, nil
}
