package beatmarket_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"beatmarket.example/beatmarket"
)

// catalogue is a service with three beats for the examples.
func catalogue() *httptest.Server {
	const pages = `{"status":"success","data":{"beats":[{"id":%s}],"pagination":{"total":3,"next_page_url":%s}}}`
	mux := http.NewServeMux()
	send := func(pattern string, status int, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", "req_1")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	send("GET /v1/beats/1", 200, `{"status":"success","data":{"beat":{"id":1,"title":"Night Drive","bpm":140}}}`)
	send("GET /v1/beats/9", 404, `{"status":"error","error":{"code":"not_found","message":"Not found","details":"There is no beat 9."}}`)
	mux.HandleFunc("GET /v1/beats", func(w http.ResponseWriter, r *http.Request) {
		number, next := r.URL.Query().Get("page"), "null"
		if number == "" {
			number, next = "1", `"/v1/beats?page=2"`
		}
		_, _ = fmt.Fprintf(w, pages, number, next)
	})
	mux.HandleFunc("GET /v1/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: 7\ndata: {\"id\":\"evt_7\",\"type\":\"beat.purchased\",\"data\":{\"title\":\"Night Drive\"}}\n\n")
	})
	return httptest.NewServer(mux)
}

// exampleClient creates a client of a service for one example.
func exampleClient(options ...beatmarket.Option) (*beatmarket.Client, func()) {
	server := catalogue()
	own := []beatmarket.Option{beatmarket.WithBaseURL(server.URL + "/v1"), beatmarket.WithAPIKey("bm_test")}
	client, err := beatmarket.New(append(own, options...)...)
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

func Example() {
	client, end := exampleClient() // In your program: beatmarket.New()
	defer end()
	beat, err := client.Beats.Get(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(beat.Title)
	// Output: Night Drive
}

func ExampleBeatsService_ListAll() {
	client, end := exampleClient()
	defer end()
	for beat, err := range client.Beats.ListAll(context.Background(), beatmarket.ListBeatsParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(beat.ID)
	}
	// Output:
	// 1
	// 2
}

func ExamplePage_Next() {
	ctx := context.Background()
	client, end := exampleClient()
	defer end()
	page, err := client.Beats.List(ctx, beatmarket.ListBeatsParams{})
	for ; err == nil && page != nil; page, err = page.Next(ctx) {
		fmt.Println(len(page.Data), "of", page.Total)
	}
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 of 3
	// 1 of 3
}

func ExampleNotFoundError() {
	client, end := exampleClient()
	defer end()
	_, err := client.Beats.Get(context.Background(), 9)
	var missing *beatmarket.NotFoundError
	if errors.As(err, &missing) {
		fmt.Println(missing.Status, missing.Code, missing.Details)
	}
	fmt.Println(err)
	// Output:
	// 404 not_found There is no beat 9.
	// 404 not_found: Not found: There is no beat 9. (request req_1)
}

func ExampleWithResponse() {
	client, end := exampleClient()
	defer end()
	var response *beatmarket.Response
	if _, err := client.Beats.Get(context.Background(), 1, beatmarket.WithResponse(&response)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, response.RequestID)
	// Output: 200 req_1
}

func ExampleWithOnResponse() {
	client, end := exampleClient(beatmarket.WithOnResponse(func(_ context.Context, facts beatmarket.ResponseFacts) error {
		fmt.Println(facts.Operation, facts.Status, facts.RequestID, "attempt", facts.Attempt)
		return nil
	}))
	defer end()
	if _, err := client.Beats.Get(context.Background(), 1); err != nil {
		log.Fatal(err)
	}
	// Output: getBeat 200 req_1 attempt 1
}

func ExampleEventsService_Stream() {
	client, end := exampleClient()
	defer end()
	stream := client.Events.Stream(beatmarket.EventStreamParams{})
	for event, err := range stream.All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Type, event.ID, "position", stream.Position)
		break // Without it the loop goes on until its context ends.
	}
	// Output: beat.purchased evt_7 position 7
}
