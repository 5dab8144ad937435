package beatmarket_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"beatmarket.example/beatmarket"
)

// roundTrip is a transport that responds like a service.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// clientOf creates a client of https://api.example.com/v1 whose requests a function answers.
func clientOf(t *testing.T, answer roundTrip, options ...beatmarket.Option) *beatmarket.Client {
	t.Helper()
	own := []beatmarket.Option{
		beatmarket.WithAPIKey("bm_0123456789abcdef"), beatmarket.WithBaseURL("https://api.example.com/v1"),
		beatmarket.WithHTTPClient(&http.Client{Transport: answer}),
	}
	client, err := beatmarket.New(append(own, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func TestExtrasAreSentWithEveryPage(t *testing.T) {
	var seen []string
	pages := []string{
		`{"beats":[{"id":1}],"pagination":{"total":2,"next_page_url":"https://api.example.com/v1/beats?page=2&trace=kept"}}`,
		`{"beats":[{"id":2}],"pagination":{"total":2,"next_page_url":null}}`,
	}
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("X-Tenant") != "7" || r.Header.Get("X-Trace") != "a" {
			t.Errorf("the header is %v", r.Header)
		}
		seen = append(seen, r.URL.RawQuery)
		return answer(200, `{"status":"success","data":`+pages[len(seen)-1]+`}`), nil
	}, beatmarket.WithDefaults(beatmarket.WithHeader("X-Tenant", "7"), beatmarket.WithHeader("x-trace", "all")))
	options := []beatmarket.CallOption{
		beatmarket.WithHeader("X-Trace", "a"), beatmarket.WithQueryValue("preview", "true"), beatmarket.WithQueryValue("trace", "new"),
	}
	for _, err := range client.Beats.ListAll(t.Context(), beatmarket.ListBeatsParams{Limit: beatmarket.Some(1)}, options...) {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "limit=1&preview=true&trace=new page=2&preview=true&trace=kept"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("the queries are %s, not %s", got, want)
	}
}

func TestInvalidExtrasOfACallAreRefused(t *testing.T) {
	client, requests := serve(t, success(`{}`))
	ctx, title := t.Context(), beatmarket.PlaylistFields{Title: "A"}
	for named, call := range map[string]func() error{
		"limit": func() error {
			_, err := client.Beats.List(ctx, beatmarket.ListBeatsParams{Limit: beatmarket.Some(1)}, beatmarket.WithQueryValue("limit", "2"))
			return err
		},
		"title": func() error {
			_, err := client.Playlists.Create(ctx, title, beatmarket.WithBodyField("title", "B"))
			return err
		},
		"no JSON body": func() error {
			_, err := client.Genres.List(ctx, beatmarket.WithBodyField("title", "B"))
			return err
		},
		"leave WithBodyField out": func() error {
			_, err := client.Exports.Beats(ctx, "unused", beatmarket.WithBodyField("title", "B"))
			return err
		},
		"Request has Query": func() error {
			_, err := client.Request(ctx, "GET", "/genres", beatmarket.Request{}, beatmarket.WithQueryValue("limit", "2"))
			return err
		},
		"user-agent": func() error {
			_, err := client.Genres.List(ctx, beatmarket.WithHeader("user-agent", "me"))
			return err
		},
		"X-A": func() error {
			_, err := client.Genres.List(ctx, beatmarket.WithHeader("X-A", "1\r\nX-Evil: 1"))
			return err
		},
	} {
		var mistake *beatmarket.BeatMarketError
		if err := call(); !errors.As(err, &mistake) || !strings.Contains(err.Error(), named) {
			t.Errorf("the error %v does not name %s", err, named)
		}
	}
	if len(requests()) != 0 {
		t.Error("a request was sent")
	}
}

func TestInvalidOptionsOfAClientAreRefused(t *testing.T) {
	for named, option := range map[string]beatmarket.Option{
		"x-api-key":           beatmarket.WithDefaults(beatmarket.WithHeader("X-API-Key", "bm_2")),
		"WithQueryValue":      beatmarket.WithDefaults(beatmarket.WithQueryValue("a", "b")),
		"WithUserAgentSuffix": beatmarket.WithUserAgentSuffix("a\nb"),
		"WithAllowHTTP":       beatmarket.WithBaseURL("http://side-car:8080/v1"),
	} {
		if _, err := beatmarket.New(beatmarket.WithAPIKey("bm_1"), option); err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("the error %v does not name %s", err, named)
		}
	}
}

func TestHTTPToAnotherHostIsAllowedWithAllowHTTP(t *testing.T) {
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		if got := r.Header.Get("User-Agent"); !strings.HasSuffix(got, " my-shop/1.2") || r.URL.Host != "side-car:8080" {
			t.Error(r.URL, got)
		}
		return answer(200, `{"status":"success","data":{"genres":[]}}`), nil
	}, beatmarket.WithBaseURL("http://side-car:8080/v1"), beatmarket.WithAllowHTTP(), beatmarket.WithUserAgentSuffix("my-shop/1.2"))
	if _, err := client.Genres.List(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestHooksSeeEveryAttemptOfADownloadButNoSecrets(t *testing.T) {
	var seen []beatmarket.ResponseFacts
	statuses := []int{503, 404}
	client := clientOf(t, func(*http.Request) (*http.Response, error) {
		response := answer(statuses[len(seen)], "")
		response.Header.Set("Retry-After", "0")
		return response, nil
	}, beatmarket.WithDefaults(beatmarket.WithHeader("X-Access-Token", "hidden")),
		beatmarket.WithOnResponse(func(_ context.Context, facts beatmarket.ResponseFacts) error {
			seen = append(seen, facts)
			return nil
		}))
	_, err := client.Sales.Export(t.Context(), "2026-11", t.TempDir()+"/sales.csv")
	var missing *beatmarket.NotFoundError
	if !errors.As(err, &missing) || len(seen) != 2 {
		t.Fatal(err, seen)
	}
	for index, facts := range seen {
		if facts.Operation != "exportSales" || facts.Attempt != index+1 || facts.Status != statuses[index] || facts.Err == nil {
			t.Errorf("the facts are %+v", facts)
		}
		if facts.Header.Get("Authorization") != "Bearer bm_…cdef" || facts.Header.Get("X-Access-Token") != "…" {
			t.Errorf("the header is %v", facts.Header)
		}
	}
}

func TestAnErrorOfAHookEndsTheCall(t *testing.T) {
	own := &beatmarket.APIConnectionError{BeatMarketError: &beatmarket.BeatMarketError{Message: "of the hook's own call"}}
	for _, hook := range []beatmarket.Option{
		beatmarket.WithOnRequest(func(context.Context, beatmarket.RequestFacts) error { return own }),
		beatmarket.WithOnResponse(func(context.Context, beatmarket.ResponseFacts) error { return own }),
	} {
		requests := 0
		client := clientOf(t, func(*http.Request) (*http.Response, error) {
			requests++
			return answer(200, `{"status":"success","data":{"genres":[]}}`), nil
		}, hook)
		if _, err := client.Genres.List(t.Context()); !errors.Is(err, own) || requests > 1 {
			t.Error(err, requests)
		}
	}
}
