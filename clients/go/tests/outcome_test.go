package tests

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	assay "assay.dev/client"
)

// performance is a case's call with its outcome.
type performance struct {
	t        *testing.T
	c        conformanceCase
	client   *assay.Client
	cancel   context.CancelFunc
	mutex    sync.Mutex
	logged   []assay.LogEntry
	waits    []float64
	progress assay.Progress
	result   any
	items    []any
	content  []byte
	err      error
}

func (p *performance) sleep(ctx context.Context, wait time.Duration) error {
	p.waits = append(p.waits, float64(wait)/float64(time.Millisecond))
	if p.c.Cancel.AtWait == len(p.waits) {
		p.cancel()
	}
	return ctx.Err()
}

func (p *performance) report(progress assay.Progress) {
	if progress.SentBytes < p.progress.SentBytes {
		p.t.Error("The progress went back.")
	}
	p.progress = progress
}

func asErr(value reflect.Value) error {
	err, _ := value.Interface().(error)
	return err
}

func (p *performance) run(ctx context.Context) {
	for range max(p.c.Call.Times, 1) {
		results := p.call(ctx)
		last := results[len(results)-1]
		if last.Kind() == reflect.Func {
			p.iterate(last)
			return
		}
		p.err = asErr(last)
		if len(results) == 2 {
			p.result = results[0].Interface()
		}
		if content, ok := p.result.(*assay.Content); ok && p.err == nil {
			p.content, p.err = io.ReadAll(content)
			if err := content.Close(); err != nil {
				p.t.Error(err)
			}
		}
	}
}

func (p *performance) iterate(sequence reflect.Value) {
	p.items = []any{}
	for item, err := range sequence.Seq2() {
		if p.err = asErr(err); p.err != nil {
			continue
		}
		p.items = append(p.items, item.Interface())
		if len(p.items) == p.c.Call.Take {
			break
		}
	}
}

// same compares values by their JSON.
func (p *performance) same(what string, found any, wanted json.RawMessage) {
	p.t.Helper()
	encoded, err := json.Marshal(found)
	if err != nil {
		p.t.Errorf("%s: %v", what, err)
		return
	}
	if !reflect.DeepEqual(decode[any](p.t, encoded), decode[any](p.t, wanted)) {
		p.t.Errorf("%s is %.1500s, not %.1500s.", what, encoded, wanted)
	}
}

func (p *performance) check() {
	p.t.Helper()
	expected := p.c.Expect
	switch {
	case expected["cancelled"] != nil:
		if !errors.Is(p.err, context.Canceled) {
			p.t.Errorf("It was not cancelled: %v", p.err)
		}
	case expected["error"] != nil:
		p.checkError(expected["error"])
	case p.err != nil:
		p.t.Errorf("It failed: %v", p.err)
	}
	if wanted, ok := expected["result"]; ok {
		p.same("The result", p.result, wanted)
	}
	if wanted, ok := expected["items"]; ok {
		p.same("What was iterated", p.items, wanted)
	}
	if wanted, ok := expected["content"]; ok {
		p.checkContent(wanted)
	}
	if wanted, ok := expected["progress"]; ok {
		total := any(p.progress.TotalBytes)
		if p.progress.TotalBytes < 0 {
			total = nil
		}
		p.same("The progress", map[string]any{"sent_bytes": p.progress.SentBytes, "total_bytes": total}, wanted)
	}
	fits := len(p.waits) == len(p.c.WaitsMs)
	for i := 0; fits && i < len(p.waits); i++ {
		fits = p.waits[i] >= p.c.WaitsMs[i][0] && p.waits[i] <= p.c.WaitsMs[i][1]
	}
	if !fits {
		p.t.Errorf("It waited %v ms, not %v.", p.waits, p.c.WaitsMs)
	}
	p.checkToken()
}

func (p *performance) checkContent(wanted json.RawMessage) {
	digest := sha256.Sum256(p.content)
	content := p.result.(*assay.Content)
	found := map[string]any{
		"text": string(p.content), "base64": base64.StdEncoding.EncodeToString(p.content), "length": len(p.content),
		"sha256": hex.EncodeToString(digest[:]), "filename": content.Filename, "content_type": content.ContentType,
	}
	for name, value := range decode[map[string]json.RawMessage](p.t, wanted) {
		p.same("The content's "+name, found[name], value)
	}
}

// The classes of errors: the value for errors.Is, and its base class.
var classes = map[string]struct {
	value error
	base  string
}{
	"AssayError":                {assay.ErrInvalidArgument, ""},
	"APIConnectionError":        {assay.ErrConnection, ""},
	"APITimeoutError":           {assay.ErrTimeout, "APIConnectionError"},
	"InvalidResponseError":      {assay.ErrInvalidResponse, ""},
	"APIStatusError":            {assay.ErrStatus, ""},
	"BadRequestError":           {assay.ErrBadRequest, "APIStatusError"},
	"AuthenticationError":       {assay.ErrAuthentication, "APIStatusError"},
	"PermissionDeniedError":     {assay.ErrPermissionDenied, "APIStatusError"},
	"NotFoundError":             {assay.ErrNotFound, "APIStatusError"},
	"ConflictError":             {assay.ErrConflict, "APIStatusError"},
	"PreconditionFailedError":   {assay.ErrPreconditionFailed, "APIStatusError"},
	"PayloadTooLargeError":      {assay.ErrPayloadTooLarge, "APIStatusError"},
	"UnsupportedMediaTypeError": {assay.ErrUnsupportedMediaType, "APIStatusError"},
	"RateLimitError":            {assay.ErrRateLimit, "APIStatusError"},
	"InternalServerError":       {assay.ErrInternalServer, "APIStatusError"},
	"ServiceUnavailableError":   {assay.ErrServiceUnavailable, "InternalServerError"},
}

func (p *performance) checkError(wanted json.RawMessage) {
	p.t.Helper()
	var e *assay.Error
	if !errors.As(p.err, &e) {
		p.t.Errorf("The error is %v, not an *assay.Error.", p.err)
		return
	}
	expected := decode[map[string]json.RawMessage](p.t, wanted)
	expectedClasses := map[string]bool{}
	for name := decode[string](p.t, expected["class"]); name != ""; name = classes[name].base {
		expectedClasses[name] = true
	}
	for name, class := range classes {
		if errors.Is(p.err, class.value) != expectedClasses[name] {
			p.t.Errorf("Whether %v is a %s is %v.", p.err, name, !expectedClasses[name])
		}
	}
	orNull := func(value any) any {
		if reflect.ValueOf(value).IsZero() {
			return nil
		}
		return value
	}
	found := map[string]any{
		"status": orNull(e.Status), "code": orNull(e.Code), "message": e.Message, "details": e.Details,
		"request_id": orNull(e.RequestID), "retry_after_ms": orNull(e.RetryAfter.Milliseconds()),
	}
	for name, value := range expected {
		if name != "class" {
			p.same("The error's "+name, found[name], value)
		}
	}
}

// checkToken looks for the token in everything that the call returned.
func (p *performance) checkToken() {
	for _, value := range []any{p.err, p.client, p.logged, p.result, p.items} {
		encoded, _ := json.Marshal(value)
		for _, text := range []string{fmt.Sprintf("%v %+v %#v %s", value, value, value, value), string(encoded)} {
			if strings.Contains(text, p.c.Client.Token) {
				p.t.Errorf("The token is shown: %s", text)
			}
		}
	}
	for err := p.err; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(fmt.Sprintf("%#v", err), p.c.Client.Token) {
			p.t.Errorf("The token is shown: %#v", err)
		}
	}
}
