package tests

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"testing"
	"time"
)

// exchange server: see clients/conformance/README.md.
type exchangeServer struct{ url string }

type run struct {
	BaseURL     string `json:"base_url"`
	ReceivedURL string `json:"received_url"`
	VerdictURL  string `json:"verdict_url"`
}

type verdict struct {
	Requests     int      `json:"requests"`
	OpenRequests int      `json:"open_requests"`
	Problems     []string `json:"problems"`
}

func startServer(t *testing.T) exchangeServer {
	t.Helper()
	command := exec.Command("node", "../../conformance/server.mjs")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var started struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(line, &started); err != nil {
		t.Fatal(err)
	}
	return exchangeServer{started.URL}
}

func fetch(t *testing.T, method, url string, into any) {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func (s exchangeServer) begin(t *testing.T, id string) run {
	t.Helper()
	var begun run
	fetch(t, http.MethodPost, s.url+"/cases/"+id, &begun)
	return begun
}

// check waits until no request is open and reports errors in the requests.
func (r run) check(t *testing.T) {
	t.Helper()
	var found verdict
	for range 200 {
		fetch(t, http.MethodGet, r.VerdictURL, &found)
		if found.OpenRequests == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if found.OpenRequests > 0 {
		t.Error("A connection was left open.")
	}
	for _, problem := range found.Problems {
		t.Error(problem)
	}
}

// cancelAfterReceipt cancels a call that long after the server has received its last request.
func (r run) cancelAfterReceipt(after time.Duration, cancel context.CancelFunc) {
	defer cancel()
	response, err := http.Get(r.ReceivedURL)
	if err != nil {
		return
	}
	response.Body.Close()
	time.Sleep(after)
}

func TestConformance(t *testing.T) {
	server := startServer(t)
	var cases []conformanceCase
	fetch(t, http.MethodGet, server.url+"/cases", &cases)
	t.Run("cases", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.ID+": "+c.Name, func(t *testing.T) {
				if !c.Client.FromEnvironment {
					t.Parallel()
				}
				runCase(t, server, c)
			})
		}
	})
}

func runCase(t *testing.T, server exchangeServer, c conformanceCase) {
	begun := server.begin(t, c.ID)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	performed := &performance{t: t, c: c, cancel: cancel}
	performed.client = c.makeClient(t, begun.BaseURL, performed)
	if performed.client != nil {
		if c.Cancel.AfterMs != nil {
			if *c.Cancel.AfterMs == 0 {
				cancel()
			} else {
				go begun.cancelAfterReceipt(time.Duration(*c.Cancel.AfterMs)*time.Millisecond, cancel)
			}
		}
		performed.run(ctx)
	}
	performed.check()
	begun.check(t)
}
