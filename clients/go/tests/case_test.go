package tests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	assay "assay.dev/client"
)

type conformanceCase struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Client struct {
		Token           string            `json:"token"`
		MaxRetries      *int              `json:"max_retries"`
		TimeoutMs       *int              `json:"timeout_ms"`
		Headers         map[string]string `json:"headers"`
		BaseURL         string            `json:"base_url"`
		FromEnvironment bool              `json:"from_environment"`
	} `json:"client"`
	Call struct {
		Resource  string                     `json:"resource"`
		Method    string                     `json:"method"`
		Arguments []json.RawMessage          `json:"arguments"`
		Options   map[string]json.RawMessage `json:"options"`
		As        string                     `json:"as"`
		Take      int                        `json:"take"`
		Times     int                        `json:"times"`
	} `json:"call"`
	Cancel struct {
		AfterMs *int `json:"after_ms"`
		AtWait  int  `json:"at_wait"`
	} `json:"cancel"`
	WaitsMs [][2]float64               `json:"waits_ms"`
	Expect  map[string]json.RawMessage `json:"expect"`
}

func decode[T any](t *testing.T, data json.RawMessage) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return value
}

func pascal(name string) string {
	var out strings.Builder
	for _, part := range strings.Split(name, "_") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}

func (c conformanceCase) makeClient(t *testing.T, baseURL string, p *performance) *assay.Client {
	options := []assay.ClientOption{assay.WithSleep(p.sleep), assay.WithLog(func(entry assay.LogEntry) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.logged = append(p.logged, entry)
	})}
	given := c.Client
	if given.FromEnvironment {
		t.Setenv("ASSAY_TOKEN", given.Token)
		t.Setenv("ASSAY_BASE_URL", baseURL)
	} else {
		if given.BaseURL != "" {
			root := strings.TrimSuffix(baseURL, "/api/v1")
			baseURL = strings.NewReplacer("{base_url}", baseURL, "{root_url}", root).Replace(given.BaseURL)
		}
		options = append(options, assay.WithToken(given.Token), assay.WithBaseURL(baseURL))
	}
	if given.MaxRetries != nil {
		options = append(options, assay.WithMaxRetries(*given.MaxRetries))
	}
	if given.TimeoutMs != nil {
		options = append(options, assay.WithTimeout(time.Duration(*given.TimeoutMs)*time.Millisecond))
	}
	for name, value := range given.Headers {
		options = append(options, assay.WithHeader(name, value))
	}
	client, err := assay.NewClient(options...)
	p.err = err
	return client
}

func (c conformanceCase) options(t *testing.T, p *performance) []assay.CallOption {
	milliseconds := func(data json.RawMessage) time.Duration {
		return time.Duration(decode[int](t, data)) * time.Millisecond
	}
	var options []assay.CallOption
	for name, value := range c.Call.Options {
		switch name {
		case "timeout_ms":
			options = append(options, assay.WithTimeout(milliseconds(value)))
		case "max_retries":
			options = append(options, assay.WithMaxRetries(decode[int](t, value)))
		case "idempotency_key":
			options = append(options, assay.WithIdempotencyKey(decode[string](t, value)))
		case "if_match":
			options = append(options, assay.WithIfMatch(decode[string](t, value)))
		case "headers":
			for header, text := range decode[map[string]string](t, value) {
				options = append(options, assay.WithHeader(header, text))
			}
		case "last_event_id":
			options = append(options, assay.WithLastEventID(decode[string](t, value)))
		case "poll_interval_ms":
			options = append(options, assay.WithPollInterval(milliseconds(value)))
		case "max_wait_ms":
			options = append(options, assay.WithMaxWait(milliseconds(value)))
		default:
			t.Fatalf("There is no option %s.", name)
		}
	}
	if c.Call.Resource == "imports" {
		options = append(options, assay.WithProgress(p.report))
	}
	return options
}

// withTimes replaces {"time": "…"} by that time in the library's format.
func withTimes(t *testing.T, value any) any {
	switch given := value.(type) {
	case []any:
		for i := range given {
			given[i] = withTimes(t, given[i])
		}
	case map[string]any:
		if text, ok := given["time"].(string); ok {
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				t.Fatal(err)
			}
			return assay.At(at)
		}
		for name := range given {
			given[name] = withTimes(t, given[name])
		}
	}
	return value
}

// argument converts the value of an argument to the method's type.
func argument(t *testing.T, data json.RawMessage, kind reflect.Type) reflect.Value {
	if kind == reflect.TypeFor[io.Reader]() {
		return reflect.ValueOf(file(t, data))
	}
	encoded, err := json.Marshal(withTimes(t, decode[any](t, data)))
	if err != nil {
		t.Fatal(err)
	}
	value := reflect.New(kind)
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value.Interface()); err != nil {
		t.Fatalf("%s: %v", encoded, err)
	}
	return value.Elem()
}

func file(t *testing.T, data json.RawMessage) io.Reader {
	given := decode[struct {
		Text   *string `json:"text"`
		Base64 *string `json:"base64"`
		Repeat string  `json:"repeat"`
		Times  int     `json:"times"`
		As     string  `json:"as"`
	}](t, data)
	var content []byte
	switch {
	case given.Text != nil:
		content = []byte(*given.Text)
	case given.Base64 != nil:
		content, _ = base64.StdEncoding.DecodeString(*given.Base64)
	default:
		content = []byte(strings.Repeat(given.Repeat, given.Times))
	}
	if given.As == "stream" {
		return struct{ io.Reader }{bytes.NewReader(content)}
	}
	return bytes.NewReader(content)
}

// method finds the method of the case's call.
func (c conformanceCase) method(client *assay.Client) reflect.Value {
	resource := reflect.ValueOf(client)
	for _, name := range strings.Split(c.Call.Resource, ".") {
		resource = resource.Elem().FieldByName(pascal(name))
	}
	name := pascal(c.Call.Method)
	if c.Call.As == "items" {
		name = "All" + strings.TrimPrefix(name, "List")
	}
	return resource.MethodByName(name)
}

func (p *performance) call(ctx context.Context) []reflect.Value {
	method := p.c.method(p.client)
	arguments := []reflect.Value{reflect.ValueOf(ctx)}
	for i, data := range p.c.Call.Arguments {
		arguments = append(arguments, argument(p.t, data, method.Type().In(i+1)))
	}
	for _, option := range p.c.options(p.t, p) {
		arguments = append(arguments, reflect.ValueOf(option))
	}
	return method.Call(arguments)
}
