package beatmarket

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Request is any request below the base URL.
type Request struct {
	Query url.Values
	// Body is sent as JSON unless it is nil.
	Body any
	// Header overrides headers of the client, such as Accept or Idempotency-Key.
	Header http.Header
}

// RawResponse is a response with its body, envelope included. Body is null for a 204 and for HEAD.
type RawResponse struct {
	*Response
	Body json.RawMessage
}

// Request sends any request below the base URL, with the same key, retries and errors as other calls. The path begins with a
// slash and is percent-encoded.
func (c *Client) Request(ctx context.Context, method, path string, request Request, options ...CallOption) (*RawResponse, error) {
	settings, err := c.settingsOf(options)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, `?#\`) || hasDots(path) {
		return nil, errorf("The path is %q; it takes a path such as /beats/1, and the query separately.", path)
	}
	verb := strings.ToUpper(method)
	if !isWithin(verb, 'A', 'Z') {
		return nil, errorf("The method is %q; it takes a name such as GET.", method)
	}
	if request.Body != nil && (verb == http.MethodGet || verb == http.MethodHead) {
		return nil, errorf("A %s has no body: pass the values as query.", verb)
	}
	if len(settings.extras.query) > 0 || len(settings.extras.body) > 0 {
		return nil, errorf("WithQueryValue and WithBodyField are for typed methods: a Request has Query and Body.")
	}
	m := message{method: verb, url: c.url(path, request.Query), header: http.Header{}, readsJSON: true}
	for name, values := range request.Header {
		for _, value := range values {
			if !isSendable(name, value) {
				return nil, notSendable(name)
			}
		}
		m.header[http.CanonicalHeaderKey(name)] = values
	}
	if request.Body != nil {
		m.hasBody = true
		if m.body, err = jsonOf(request.Body); err != nil {
			return nil, err
		}
	}
	body, response, err := c.send(ctx, m, settings, nil)
	if err != nil {
		return nil, err
	}
	if body == nil {
		body = []byte("null")
	}
	return &RawResponse{response, body}, nil
}

func hasDots(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part = strings.ReplaceAll(strings.ToLower(part), "%2e", "."); part == "." || part == ".." {
			return true
		}
	}
	return false
}
