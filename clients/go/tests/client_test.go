package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	assay "assay.dev/client"
)

const token = "asy_neverShown"

// clientOf creates a client whose requests go to a function.
func clientOf(t *testing.T, send func(*http.Request) (*http.Response, error)) *assay.Client {
	t.Helper()
	client, err := assay.NewClient(
		assay.WithToken(token), assay.WithBaseURL("http://assay.test/api/v1"), assay.WithTransport(assay.TransportFunc(send)),
		assay.WithSleep(func(ctx context.Context, _ time.Duration) error { return ctx.Err() }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func respond(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func TestATokenInATransportErrorIsNotShown(t *testing.T) {
	client := clientOf(t, func(request *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("can't send %v", request.Header)
	})
	_, err := client.Findings.Get(context.Background(), "fnd_1")
	if !errors.Is(err, assay.ErrConnection) {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", err, err, err), fmt.Sprintf("%+v %#v", client, client)} {
		if strings.Contains(text, token) {
			t.Error(text)
		}
	}
}

func TestAClientWithoutATokenOrAnAddressIsRefused(t *testing.T) {
	t.Setenv("ASSAY_TOKEN", "")
	t.Setenv("ASSAY_BASE_URL", "")
	for _, options := range [][]assay.ClientOption{
		nil, {assay.WithToken("asy_1")}, {assay.WithBaseURL("http://assay.test/api/v1")},
		{assay.WithToken("asy_1"), assay.WithBaseURL("")},
	} {
		if _, err := assay.NewClient(options...); !errors.Is(err, assay.ErrInvalidArgument) {
			t.Error(err)
		}
	}
}

func TestAPipeIsUploadedAsAStreamAndNotRetried(t *testing.T) {
	requests := 0
	client := clientOf(t, func(request *http.Request) (*http.Response, error) {
		requests++
		body, err := io.ReadAll(request.Body)
		if string(body) != "{}" || err != nil || request.ContentLength != -1 {
			t.Error(string(body), err, request.ContentLength)
		}
		return respond(503, ""), nil
	})
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(writer, "{}")
		_ = writer.Close()
	}()
	_, err = client.Imports.Upload(context.Background(), "ds_1", reader, assay.ImportParams{})
	if !errors.Is(err, assay.ErrServiceUnavailable) || requests != 1 {
		t.Error(err, requests)
	}
}

func TestAFileIsUploadedFromItsPositionAndCompletelyOnARetry(t *testing.T) {
	var bodies []string
	client := clientOf(t, func(request *http.Request) (*http.Response, error) {
		body, _ := io.ReadAll(request.Body)
		bodies = append(bodies, string(body))
		if len(bodies) == 1 {
			return respond(503, ""), nil
		}
		return respond(202, `{"id": "scan_1"}`), nil
	})
	file := strings.NewReader("skipped,sent")
	if _, err := file.Seek(8, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	scan, err := client.Imports.Upload(context.Background(), "ds_1", file, assay.ImportParams{})
	if err != nil || scan.ID != "scan_1" || strings.Join(bodies, " ") != "sent sent" {
		t.Error(scan, err, bodies)
	}
	if _, err := client.Imports.Upload(context.Background(), "ds_1", nil, assay.ImportParams{}); !errors.Is(err, assay.ErrInvalidArgument) {
		t.Error(err)
	}
}

func TestAnEmptySuccessIsAnError(t *testing.T) {
	client := clientOf(t, func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 204}, nil })
	if finding, err := client.Findings.Get(context.Background(), "fnd_1"); !errors.Is(err, assay.ErrInvalidResponse) {
		t.Error(finding, err)
	}
}

func TestAnExpiredContextIsItsOwnError(t *testing.T) {
	client := clientOf(t, func(request *http.Request) (*http.Response, error) {
		<-request.Context().Done()
		return nil, request.Context().Err()
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := client.Findings.Get(ctx, "fnd_1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestOneClientServesManyGoroutines(t *testing.T) {
	client := clientOf(t, func(*http.Request) (*http.Response, error) { return respond(200, `{"id": "fnd_1"}`), nil })
	var group sync.WaitGroup
	for i := range 50 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := client.Findings.Get(context.Background(), "fnd_1", assay.WithHeader("X-Number", fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
}

func TestARequestHasOnlyTheFieldsThatAreSet(t *testing.T) {
	for want, params := range map[string]any{
		`{}`:                       assay.FindingUpdate{},
		`{"assignee":null}`:        assay.FindingUpdate{Assignee: assay.Null[string]()},
		`{"tags":[]}`:              assay.FindingUpdate{Tags: []string{}},
		`{"enabled":false}`:        assay.ScanScheduleUpdate{Enabled: assay.Ptr(false)},
		`{"assignee":"a@b.c"}`:     assay.FindingUpdate{Assignee: assay.Value("a@b.c")},
		`{"accepted_until":"now"}`: assay.FindingUpdate{AcceptedUntil: assay.Value(assay.Timestamp("now"))},
	} {
		if text, err := json.Marshal(params); string(text) != want || err != nil {
			t.Error(string(text), err, want)
		}
	}
}

func TestAReceivedValueKeepsItsFieldsAndCanBeChanged(t *testing.T) {
	var finding assay.Finding
	if err := json.Unmarshal([]byte(`{"id":"fnd_1","closed_at":null,"mood":{"a":[1]}}`), &finding); err != nil {
		t.Fatal(err)
	}
	if string(finding.Extra["mood"]) != `{"a":[1]}` {
		t.Error(finding.Extra)
	}
	finding.Title = "Changed"
	if text, _ := json.Marshal(finding); string(text) != `{"id":"fnd_1","title":"Changed","closed_at":null,"mood":{"a":[1]}}` {
		t.Error(string(text))
	}
}
