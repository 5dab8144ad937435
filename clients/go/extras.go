package beatmarket

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// extras has the headers, query values and body fields that a caller adds to the request of a method.
type extras struct {
	header http.Header
	query  url.Values
	body   map[string]any
}

// WithHeader adds a header to each request to the API, but not to the links of files. In WithDefaults it applies to every call;
// a call's own header of this name replaces it.
func WithHeader(name, value string) CallOption {
	return func(s *callSettings) {
		s.extras.header = cloned(s.extras.header)
		s.extras.header[http.CanonicalHeaderKey(name)] = []string{value}
	}
}

// WithQueryValue sends a value in addition to the query of a method, on every page of a list.
func WithQueryValue(name, value string) CallOption {
	return func(s *callSettings) {
		s.extras.query = cloned(s.extras.query)
		s.extras.query[name] = []string{value}
	}
}

// WithBodyField adds a field to the JSON body of a method.
func WithBodyField(name string, value any) CallOption {
	return func(s *callSettings) {
		s.extras.body = cloned(s.extras.body)
		s.extras.body[name] = value
	}
}

// cloned copies a map, so that changes do not affect the client's defaults.
func cloned[M ~map[string]V, V any](given M) M {
	clone := make(M, len(given)+1)
	for name, value := range given {
		clone[name] = value
	}
	return clone
}

// withExtras passes headers and query of a call on to another call that it makes.
func withExtras(from callSettings) CallOption {
	return func(s *callSettings) { s.extras.header, s.extras.query = from.extras.header, from.extras.query }
}

// ownHeaders are the headers that the client sets itself, each with the setting for it.
var ownHeaders = map[string]string{
	"Authorization":   "use WithAPIKey",
	"X-Api-Key":       "use WithAPIKey",
	"Idempotency-Key": "use WithIdempotencyKey",
	"If-Match":        "use WithIfMatch",
	"User-Agent":      "use WithUserAgentSuffix",
	"Accept":          "use Client.Request",
	"Content-Type":    "use Client.Request",
	"Host":            "use WithBaseURL",
	"Content-Length":  "it follows from the body",
}

func (e *extras) check() error {
	for name, values := range e.header {
		if !isSendable(name, values[0]) {
			return notSendable(name)
		}
		if remedy, is := ownHeaders[name]; is {
			return errorf("The client sets the header %s itself; it cannot be an extra header: %s.", strings.ToLower(name), remedy)
		}
	}
	return nil
}

func isSendable(name, value string) bool {
	return name != "" && !strings.ContainsFunc(name, isNoToken) && !strings.ContainsFunc(value, isNoText)
}

// isNoToken says whether a header's name cannot have this character (RFC 9110).
func isNoToken(r rune) bool {
	isAlphanumeric := (r >= '0' && r <= '9') || (r >= 'A' && r <= 'Z') || (r >= 'a' && r <= 'z')
	return !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// isNoText says whether a header's value cannot have this character (RFC 9110).
func isNoText(r rune) bool { return (r < ' ' && r != '\t') || r == 0x7f || r > 0xff }

func notSendable(name string) error {
	return errorf("The header %q cannot be sent: its name takes letters, digits and hyphens, its value one line.", name)
}

// addQuery adds the extra values to the query of a method.
func (e *extras) addQuery(query url.Values) error {
	for name, values := range e.query {
		if query.Has(name) {
			return errorf("The query has %s twice: the method sends it already. Leave WithQueryValue out.", name)
		}
		query[name] = values
	}
	return nil
}

// complete adds the extra values that the address of a next page lacks.
func (e *extras) complete(page *url.URL) *url.URL {
	if len(e.query) == 0 {
		return page
	}
	query := page.Query()
	for name, values := range e.query {
		if !query.Has(name) {
			query[name] = values
		}
	}
	completed := *page
	completed.RawQuery = query.Encode()
	return &completed
}

// addBody adds the extra fields to the JSON of a method; body is nil if the method sends none.
func (e *extras) addBody(body []byte) ([]byte, error) {
	if len(e.body) == 0 {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if body == nil || json.Unmarshal(body, &fields) != nil {
		return nil, errorf("The call sends no JSON body: leave WithBodyField out.")
	}
	all := make(map[string]any, len(fields)+len(e.body))
	for name, value := range fields {
		all[name] = value
	}
	for name, value := range e.body {
		if _, is := all[name]; is {
			return nil, errorf("The body has %s twice: the method sends it already. Leave WithBodyField out.", name)
		}
		all[name] = value
	}
	return jsonOf(all)
}
