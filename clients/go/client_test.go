package beatmarket_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"beatmarket.example/beatmarket"
)

// reply is a response of a test's server.
type reply struct {
	status int
	header map[string]string
	body   string
}

// seen is a request that a test's server received.
type seen struct {
	method, url, key, authorization, body string
}

// serve starts a server with these replies and creates a client of it. The server repeats the last reply.
func serve(t *testing.T, replies ...reply) (*beatmarket.Client, func() []seen) {
	t.Helper()
	var lock sync.Mutex
	var requests []seen
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		body, _ := io.ReadAll(r.Body)
		next := replies[min(len(requests), len(replies)-1)]
		requests = append(requests, seen{r.Method, r.URL.String(), r.Header.Get("Idempotency-Key"), r.Header.Get("Authorization"), string(body)})
		for name, value := range next.header {
			w.Header().Set(name, strings.ReplaceAll(value, "{host}", r.Host))
		}
		w.WriteHeader(next.status)
		_, _ = io.WriteString(w, strings.ReplaceAll(next.body, "{host}", r.Host))
	}))
	t.Cleanup(server.Close)
	client, err := beatmarket.New(beatmarket.WithAPIKey("bm_secret"), beatmarket.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		t.Fatal(err)
	}
	return client, func() []seen {
		lock.Lock()
		defer lock.Unlock()
		return requests
	}
}

func success(data string) reply {
	return reply{200, map[string]string{"X-Request-Id": "req_1"}, `{"status":"success","data":` + data + `}`}
}

func failure(status int, code string) reply {
	return reply{status, map[string]string{"Retry-After": "0"}, `{"status":"error","error":{"code":"` + code + `","message":"No","details":"Because."}}`}
}

func page(next string, ids ...int) reply {
	beats := make([]string, len(ids))
	for index, id := range ids {
		beats[index] = fmt.Sprintf(`{"id":%d}`, id)
	}
	return success(fmt.Sprintf(`{"beats":[%s],"pagination":{"total":4,"next_page_url":%s}}`, strings.Join(beats, ","), next))
}

func TestQueryHasTheGivenParameters(t *testing.T) {
	client, requests := serve(t, page("null", 1))
	params := beatmarket.ListBeatsParams{
		Limit: beatmarket.Some(5), Genre: []int{1, 2}, HalfDouble: beatmarket.Some(false), Sort: beatmarket.BeatSortPopular, BPMMin: beatmarket.Null[int](),
		CreatedAfter: beatmarket.At(time.Unix(0, 0)),
	}
	if _, err := client.Beats.List(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	want := "/v1/beats?created_after=1970-01-01T00%3A00%3A00.000Z&genre=1%2C2&half_double=false&limit=5&sort=popular"
	if got := requests()[0].url; got != want {
		t.Errorf("the URL is %s, not %s", got, want)
	}
}

func TestBodyDistinguishesNullFromAbsent(t *testing.T) {
	client, requests := serve(t, success(`{"user":{"id":1}}`))
	fields := beatmarket.ProfileFields{Bio: beatmarket.Null[string](), Location: beatmarket.Some("Oslo")}
	if _, err := client.Users.UpdateProfile(t.Context(), fields); err != nil {
		t.Fatal(err)
	}
	if got := requests()[0].body; got != `{"bio":null,"location":"Oslo"}` {
		t.Errorf("the body is %s", got)
	}
}

func TestAttemptsShareOneIdempotencyKey(t *testing.T) {
	client, requests := serve(t, failure(503, "server_error"), success(`{"order":{"id":3}}`))
	order, err := client.Orders.Create(t.Context(), beatmarket.OrderRequest{BeatID: 1, PaymentMethod: "pm_card_visa"})
	if err != nil || order.ID != 3 {
		t.Fatal(order, err)
	}
	all := requests()
	if len(all) != 2 || all[0].key == "" || all[0].key != all[1].key {
		t.Errorf("the requests are %v", all)
	}
}

func TestRetriesEnd(t *testing.T) {
	client, requests := serve(t, failure(503, "server_error"))
	_, err := client.Genres.List(t.Context())
	var server *beatmarket.ServerError
	if !errors.As(err, &server) || len(requests()) != 3 {
		t.Error(err, len(requests()))
	}
	if _, err := client.Genres.List(t.Context(), beatmarket.WithMaxRetries(0)); err == nil || len(requests()) != 4 {
		t.Error(err, len(requests()))
	}
}

func TestErrorsAsFindsEachError(t *testing.T) {
	client, _ := serve(t, failure(404, "not_found"))
	_, err := client.Beats.Get(t.Context(), 1)
	var missing *beatmarket.NotFoundError
	var status *beatmarket.APIStatusError
	var own *beatmarket.BeatMarketError
	if !errors.As(err, &missing) || !errors.As(err, &status) || !errors.As(err, &own) {
		t.Fatalf("the error is a %T", err)
	}
	if err.Error() != "404 not_found: No: Because." || status.Code != "not_found" {
		t.Error(err)
	}
	var server *beatmarket.ServerError
	if errors.As(err, &server) {
		t.Error("a 404 is a ServerError")
	}
}

func TestMistakesSendNothing(t *testing.T) {
	client, requests := serve(t, page("null"))
	var own *beatmarket.BeatMarketError
	for name, err := range map[string]error{
		"id":      second(client.Beats.Get(t.Context(), 0)),
		"dots":    second(client.Uploads.Get(t.Context(), "..")),
		"timeout": second(client.Genres.List(t.Context(), beatmarket.WithTimeout(0))),
		"retries": second(client.Genres.List(t.Context(), beatmarket.WithMaxRetries(-1))),
		"key":     second(client.Orders.Create(t.Context(), beatmarket.OrderRequest{}, beatmarket.WithIdempotencyKey("a\nb"))),
		"comma":   second(client.Beats.List(t.Context(), beatmarket.ListBeatsParams{Tag: []string{"a,b"}})),
		"header":  second(client.Request(t.Context(), "GET", "/beats", beatmarket.Request{Header: http.Header{"X-A": {"b\r\nc"}}})),
	} {
		if !errors.As(err, &own) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if len(requests()) != 0 {
		t.Error(requests())
	}
}

func second[T any](_ T, err error) error { return err }

func TestACallWithACancelledContextReturnsItsCause(t *testing.T) {
	client, _ := serve(t, reply{503, map[string]string{"Retry-After": "50"}, ""})
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := client.Genres.List(ctx); !errors.Is(err, reason) {
		t.Error(err)
	}
}

func TestANextPageOnAnotherOriginIsNotRequested(t *testing.T) {
	client, requests := serve(t, page(`"https://elsewhere.example/v1/beats?page=2"`, 1))
	var failures int
	for _, err := range client.Beats.ListAll(t.Context(), beatmarket.ListBeatsParams{}) {
		if err != nil {
			failures++
		}
	}
	if failures != 3 || len(requests()) != 1 {
		t.Error(failures, requests())
	}
}

func TestALoopThatContinuesLosesNothing(t *testing.T) {
	next := `"http://{host}/v1/beats?page=2"`
	client, _ := serve(t, page(next, 1, 2), failure(500, "server_error"), page("null", 3, 4))
	var ids []int
	for beat, err := range client.Beats.ListAll(t.Context(), beatmarket.ListBeatsParams{}, beatmarket.WithMaxRetries(0)) {
		if err == nil {
			ids = append(ids, beat.ID)
		}
	}
	if fmt.Sprint(ids) != "[1 2 3 4]" {
		t.Error(ids)
	}
}

func TestMaxItemsLimitsAllPages(t *testing.T) {
	client, requests := serve(t, page(`"http://{host}/v1/beats?page=2"`, 1, 2), page("null", 3, 4))
	for most, want := range map[int]int{0: 0, 3: 3} {
		var count int
		for range client.Beats.ListAll(t.Context(), beatmarket.ListBeatsParams{MaxItems: beatmarket.Some(most)}) {
			count++
		}
		if count != want {
			t.Errorf("%d items, not %d: %v", count, want, requests())
		}
	}
}

func TestFieldsOfAnotherTypeAreNotErrors(t *testing.T) {
	client, _ := serve(t, success(`{"beat":{"id":"seven","title":"A","genre":[],"mood":"dark"}}`))
	beat, err := client.Beats.Get(t.Context(), 7)
	if err != nil || beat.ID != 0 || beat.Title != "A" || !strings.Contains(string(beat.RawJSON()), `"mood":"dark"`) {
		t.Error(beat, err)
	}
}

func TestNoPrintedClientHasTheKey(t *testing.T) {
	client, _ := serve(t, page("null"))
	if text := fmt.Sprintf("%v %+v %#v %+v", client, client, client, *client.Beats); strings.Contains(text, "bm_secret") {
		t.Error(text)
	}
}

func TestInvalidSettingsAreRefusedWithoutTheKeyInTheMessage(t *testing.T) {
	t.Setenv("BEATMARKET_API_KEY", "")
	for name, options := range map[string][]beatmarket.Option{
		"no key":      nil,
		"a line":      {beatmarket.WithAPIKey("bm_a\nb")},
		"http":        {beatmarket.WithAPIKey("bm_a"), beatmarket.WithBaseURL("http://beats.example.com/v1")},
		"no CA file":  {beatmarket.WithAPIKey("bm_a"), beatmarket.WithCAFile("/nowhere")},
		"no duration": {beatmarket.WithAPIKey("bm_a"), beatmarket.WithDefaults(beatmarket.WithTimeout(-1))},
	} {
		_, err := beatmarket.New(options...)
		var own *beatmarket.BeatMarketError
		if !errors.As(err, &own) || strings.Contains(err.Error(), "bm_a") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := beatmarket.New(beatmarket.WithAPIKey(" bm_a\n")); err != nil {
		t.Error(err)
	}
}

func TestANextPageThatIsNotAStringIsNotRequested(t *testing.T) {
	client, requests := serve(t, page("7", 1))
	first, err := client.Beats.List(t.Context(), beatmarket.ListBeatsParams{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = first.Next(t.Context())
	var status *beatmarket.APIStatusError
	if !errors.As(err, &status) || len(requests()) != 1 {
		t.Error(err, requests())
	}
}

func TestTheErrorOfASuccessThatCannotBeReadHasTheIdempotencyKey(t *testing.T) {
	client, requests := serve(t, reply{201, nil, `{"status":"success"}`})
	_, err := client.Orders.Create(t.Context(), beatmarket.OrderRequest{BeatID: 1, PaymentMethod: "pm_card_visa"})
	var status *beatmarket.APIStatusError
	if !errors.As(err, &status) || status.IdempotencyKey == "" || status.IdempotencyKey != requests()[0].key {
		t.Error(err)
	}
}

func TestABeatThatIsWantedTwiceIsRequestedOnce(t *testing.T) {
	client, requests := serve(t, success(`{"beats":[{"id":2},{"id":1}],"pagination":{},"missing":[3]}`))
	beats, missing, err := client.Beats.GetMany(context.Background(), []int{2, 1, 3, 2, 3})
	if err != nil || len(beats) != 2 || len(missing) != 1 {
		t.Fatal(beats, missing, err)
	}
	if all := requests(); len(all) != 1 || all[0].url != "/v1/beats?ids=2%2C1%2C3" {
		t.Fatal(all)
	}
}

func TestAnHTMLErrorOfAnotherServerIsShownOnOneLineWith200Characters(t *testing.T) {
	page := "\n<html>\r\n<b>é</b> \xff" + strings.Repeat("😀", 300)
	client, _ := serve(t, reply{418, map[string]string{"Content-Type": "Text/HTML; charset=utf-8", "Via": "1.1 proxy"}, page})
	_, err := client.Beats.Get(context.Background(), 1)
	var status *beatmarket.APIStatusError
	if !errors.As(err, &status) || status.ContentType != "text/html" || status.Response.Header.Get("Via") != "1.1 proxy" || !strings.HasSuffix(err.Error(), ": "+status.Excerpt) {
		t.Errorf("%+v", err)
	}
	wanted := "418: The response is not the API's: text/html: <html> <b>é</b> \ufffd" + strings.Repeat("😀", 200-17) + "…"
	if err == nil || err.Error() != wanted {
		t.Fatalf("%v\nis not\n%v", err, wanted)
	}
}

func TestAResultIsFoundAmongUnknownFields(t *testing.T) {
	body := "\n{ \"a \\\"}\": [{\"data\": {}}, \"\\\\\"],\t\"status\" : \"success\" ,\"data\":{\"others\":{\"beat\":{\"id\":8}},\"beat\" : {\"id\": 7, \"title\": \"}\\\"\"}\n}}\r\n"
	client, _ := serve(t, reply{200, nil, body})
	beat, err := client.Beats.Get(context.Background(), 7)
	if err != nil || beat.ID != 7 || beat.Title != `}"` || string(beat.RawJSON()) != `{"id": 7, "title": "}\""}` {
		t.Errorf("%+v, %v", beat, err)
	}
}

func TestACutConnectionIsNotRetriedMoreOftenThanMaxRetries(t *testing.T) {
	var count atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, success(`{"beat":{"id":1}}`).body)
	}))
	t.Cleanup(server.Close)
	client, err := beatmarket.New(beatmarket.WithAPIKey("bm_secret"), beatmarket.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Beats.Get(context.Background(), 1)
	_, cut := client.Beats.Get(context.Background(), 1, beatmarket.WithMaxRetries(0)) // On the connection of the first.
	var connection *beatmarket.APIConnectionError
	if err != nil || !errors.As(cut, &connection) || count.Load() != 2 {
		t.Errorf("%v, %v, %d requests", err, cut, count.Load())
	}
}

func TestARequestOverHTTP2HasNoEmptyBody(t *testing.T) {
	var lengths []int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lengths = append(lengths, r.ContentLength)
		_, _ = io.WriteString(w, success(`{"beat":{"id":1}}`).body)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	client, err := beatmarket.New(beatmarket.WithAPIKey("bm_secret"), beatmarket.WithBaseURL(server.URL+"/v1"), beatmarket.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := client.Beats.Get(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	// The client knows from the second request on that the server speaks HTTP/2.
	if lengths[1] != 0 {
		t.Errorf("The lengths are %v.", lengths)
	}
}
