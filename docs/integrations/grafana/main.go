// Serves figures of Assay as JSON for Grafana's data source Infinity: ASSAY_TOKEN and ASSAY_BASE_URL configure the
// connection to Assay, FEED_TOKEN is the token that Grafana must send, and FEED_ADDRESS is the address to listen on
// (127.0.0.1:9180).
package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	assay "assay.dev/client"
)

const (
	cachedFor = time.Minute
	maxRows   = 200
)

// feed serves the rows of tables by path, and requests each table at most once a minute.
type feed struct {
	client *assay.Client
	mutex  sync.Mutex
	rows   map[string]any
	until  map[string]time.Time
}

type row map[string]any

func (f *feed) summary(ctx context.Context) (any, error) {
	summary, err := f.client.Findings.Summary(ctx, assay.FindingSummaryParams{})
	if err != nil {
		return nil, err
	}
	critical := summary.BySeverity.Critical
	return []row{{"open": summary.Open, "total": summary.Total, "critical": critical, "high": summary.BySeverity.High}}, nil
}

// daily returns the numbers of findings opened and closed on each of the last 90 days.
func (f *feed) daily(ctx context.Context) (any, error) {
	summary, err := f.client.Findings.Summary(ctx, assay.FindingSummaryParams{Days: 90})
	if err != nil {
		return nil, err
	}
	rows := []row{}
	for _, day := range summary.Daily {
		rows = append(rows, row{"date": day.Date + "T00:00:00Z", "opened": day.Opened, "closed": day.Closed})
	}
	return rows, nil
}

func (f *feed) dataSources(ctx context.Context) (any, error) {
	summary, err := f.client.Findings.Summary(ctx, assay.FindingSummaryParams{})
	if err != nil {
		return nil, err
	}
	rows := []row{}
	for _, source := range summary.ByDataSource {
		rows = append(rows, row{"name": source.Name, "open": source.Open, "total": source.Total})
	}
	return rows, nil
}

// findings returns the open findings, the most severe first.
func (f *feed) findings(ctx context.Context) (any, error) {
	params := assay.FindingListParams{
		Status: []assay.FindingStatusFilter{assay.FindingStatusFilterNew, assay.FindingStatusFilterTriaged, assay.FindingStatusFilterInProgress},
		Sort:   assay.FindingSortSeverityDescending,
		Limit:  maxRows,
	}
	page, err := f.client.Findings.List(ctx, params)
	if err != nil {
		return nil, err
	}
	rows := []row{}
	for _, finding := range page.Data {
		rows = append(rows, row{
			"severity": finding.Severity, "title": finding.Title, "source": finding.Source, "status": finding.Status,
			"data_source": finding.DataSource.Name, "first_seen_at": finding.FirstSeenAt,
		})
	}
	return rows, nil
}

// get returns the rows of a path from the cache, or from its query.
func (f *feed) get(ctx context.Context, path string, query func(context.Context) (any, error)) (any, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if time.Now().Before(f.until[path]) {
		return f.rows[path], nil
	}
	rows, err := query(ctx)
	if err == nil {
		f.rows[path], f.until[path] = rows, time.Now().Add(cachedFor)
	}
	return rows, err
}

func (f *feed) handler(token string) http.Handler {
	mux := http.NewServeMux()
	queries := map[string]func(context.Context) (any, error){
		"/summary": f.summary, "/daily": f.daily, "/data-sources": f.dataSources, "/findings": f.findings,
	}
	for path, query := range queries {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			given := []byte(r.Header.Get("Authorization"))
			if subtle.ConstantTimeCompare(given, []byte("Bearer "+token)) != 1 {
				http.Error(w, "Send FEED_TOKEN as a bearer token.", http.StatusUnauthorized)
				return
			}
			rows, err := f.get(r.Context(), path, query)
			if err != nil {
				log.Print(err)
				http.Error(w, "Assay returned an error. The log of the feed says which.", http.StatusBadGateway)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(rows)
		})
	}
	return mux
}

func main() {
	token := os.Getenv("FEED_TOKEN")
	if token == "" {
		log.Fatal("Set FEED_TOKEN to what Grafana sends as bearer token.")
	}
	client, err := assay.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	f := &feed{client: client, rows: map[string]any{}, until: map[string]time.Time{}}
	server := &http.Server{
		Addr:              cmp.Or(os.Getenv("FEED_ADDRESS"), "127.0.0.1:9180"),
		Handler:           f.handler(token),
		ReadHeaderTimeout: 10 * time.Second,
	}
	log.Printf("The feed is at http://%s.", server.Addr)
	log.Fatal(server.ListenAndServe())
}
