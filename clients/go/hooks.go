package beatmarket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// RequestFacts is a request that is about to be sent: one attempt of a call.
type RequestFacts struct {
	Method string
	// Path is the path of the URL, without the query.
	Path string
	// Operation is the id of the operation, such as "listBeats"; "" for Client.Request and for links of files.
	Operation string
	// Attempt says which attempt of the call it is, from 1.
	Attempt int
	// Header is a copy in which only the last characters of the key are left.
	Header http.Header
}

// ResponseFacts describes the end of one attempt of a call.
type ResponseFacts struct {
	RequestFacts
	// Status is 0 without a response.
	Status   int
	Duration time.Duration
	// RequestID is the header X-Request-Id; "" if the response has none.
	RequestID string
	// Err is nil after a success.
	Err error
}

// WithOnRequest calls a function before each attempt. If the function returns an error, the call ends without a retry, and
// errors.Is and errors.As find that error in the error of the call.
func WithOnRequest(hook func(context.Context, RequestFacts) error) Option {
	return func(s *settings) { s.onRequest = hook }
}

// WithOnResponse calls a function after each attempt, with or without a response. If the function returns an error, the call
// ends as with WithOnRequest.
func WithOnResponse(hook func(context.Context, ResponseFacts) error) Option {
	return func(s *settings) { s.onResponse = hook }
}

// observers see each attempt.
type observers struct {
	onRequest  func(context.Context, RequestFacts) error
	onResponse func(context.Context, ResponseFacts) error
	// level is the value of BEATMARKET_LOG; "" for no log.
	level string
}

// hookError is an error of a hook. A call that fails with it is not retried.
type hookError struct{ error }

func (e *hookError) Unwrap() error { return e.error }

func isOfHook(err error) bool {
	var own *hookError
	return errors.As(err, &own)
}

var warning sync.Once

// logLevelOf returns this value of BEATMARKET_LOG if it is a level. For any other value it warns once, and returns "".
func logLevelOf(value string) string {
	if value == "info" || value == "debug" || value == "" {
		return value
	}
	warning.Do(func() { fmt.Fprintf(os.Stderr, "beatmarket: BEATMARKET_LOG is %q; it takes info or debug.\n", value) })
	return ""
}

// begin notifies the observers of an attempt. The function that it returns notifies them of the attempt's end, and
// returns the error of the call.
func (c *Client) begin(ctx context.Context, m *message) (func(*Response, error) error, error) {
	o := c.observers
	if o.onRequest == nil && o.onResponse == nil && o.level == "" {
		return func(_ *Response, failure error) error { return failure }, nil
	}
	facts := RequestFacts{m.method, m.url.EscapedPath(), m.operation, m.number, masked(m.header)}
	if o.onRequest != nil {
		if err := o.onRequest(ctx, facts); err != nil {
			return nil, &hookError{err}
		}
	}
	start := time.Now()
	return func(response *Response, failure error) error {
		ended := ResponseFacts{RequestFacts: facts, Duration: time.Since(start), Err: failure}
		if response != nil {
			ended.Status, ended.RequestID = response.Status, response.RequestID
		}
		o.log(os.Stderr, ended, response)
		if o.onResponse != nil {
			if err := o.onResponse(ctx, ended); err != nil {
				return &hookError{err}
			}
		}
		return failure
	}, nil
}

// log writes the line of an attempt, at level debug with all headers, in one write.
func (o *observers) log(to io.Writer, facts ResponseFacts, response *Response) {
	if o.level == "" {
		return
	}
	var text strings.Builder
	if o.level == "debug" {
		writeHeader(&text, ">", facts.Header)
		if response != nil {
			writeHeader(&text, "<", masked(response.Header))
		}
	}
	outcome, id := fmt.Sprint(facts.Status), facts.RequestID
	if facts.Status == 0 {
		outcome = nameOf(facts.Err)
	}
	if id == "" {
		id = "-"
	}
	fmt.Fprintf(&text, "beatmarket %s %s %s %d ms %s attempt %d\n", facts.Method, facts.Path, outcome, facts.Duration.Milliseconds(), id, facts.Attempt)
	_, _ = io.WriteString(to, text.String()) // A call does not fail if its log cannot be written.
}

func writeHeader(into io.Writer, sign string, header http.Header) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			fmt.Fprintf(into, "beatmarket %s %s: %s\n", sign, strings.ToLower(name), value)
		}
	}
}

// nameOf is the type of an error without a response.
func nameOf(err error) string {
	var late *APITimeoutError
	var connection *APIConnectionError
	switch {
	case errors.As(err, &late):
		return "APITimeoutError"
	case errors.As(err, &connection):
		return "APIConnectionError"
	}
	return "aborted"
}

// secretNames are parts of the names of headers that are secret.
var secretNames = []string{"authorization", "cookie", "api-key", "token", "secret"}

// The last characters of a shorter key would reveal too much of it.
const leastKeyLength = 16

// masked is a header for hooks and logs. It shows the last characters of the key, and nothing of other secrets.
func masked(header http.Header) http.Header {
	shown := header.Clone()
	for name, values := range shown {
		for index, value := range values {
			if name == "Authorization" {
				values[index] = maskedKey(value)
			} else if isSecret(name) {
				values[index] = "…"
			}
		}
	}
	return shown
}

func isSecret(name string) bool {
	return slices.ContainsFunc(secretNames, func(part string) bool { return strings.Contains(strings.ToLower(name), part) })
}

// maskedKey hides the key in a value, such as after "Bearer".
func maskedKey(value string) string {
	start := strings.Index(value, "bm_")
	switch {
	case start < 0:
		return value
	case len(value)-start < leastKeyLength:
		return value[:start] + "bm_…"
	}
	return value[:start] + "bm_…" + value[len(value)-4:]
}
