package beatmarket

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// message is a request that is sent, in one or more attempts.
type message struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte
	// hasBody distinguishes an empty body from no body.
	hasBody bool
	// more is added to the time limit, because the service was asked to wait, or the body is large.
	more time.Duration
	// operation is the id of the operation; "" for Client.Request and links. number counts the attempts.
	operation string
	number    int
	// readsJSON says that a success has a body to parse, unless its status is 204.
	readsJSON bool
}

// shown is the request in logs and errors.
func (m *message) shown() string { return m.method + " " + m.url.String() }

// settingsOf completes the options of a call.
func (c *Client) settingsOf(options []CallOption) (callSettings, error) {
	settings := c.defaults
	for _, option := range options {
		option(&settings)
	}
	return settings, settings.check()
}

// headerOf returns the headers of a request to the API, without Authorization.
func (c *Client) headerOf(m *message, settings *callSettings) http.Header {
	header := cloned(settings.extras.header)
	header.Set("Accept", "application/json")
	header.Set("User-Agent", c.userAgent)
	if m.hasBody {
		header.Set("Content-Type", "application/json")
	}
	if m.method == http.MethodPost || m.method == http.MethodPatch || m.method == http.MethodDelete {
		header.Set("Idempotency-Key", newKey())
	}
	if settings.idempotencyKey != nil {
		header.Set("Idempotency-Key", *settings.idempotencyKey)
	}
	if settings.ifMatch != nil {
		header.Set("If-Match", *settings.ifMatch)
	}
	for name, values := range m.header {
		header[name] = values
	}
	return header
}

// newKey is a random UUID.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // It never returns an error.
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// send sends a message with the key, in as many attempts as its retries allow, and returns the body of the successful
// one. All attempts have one idempotency key.
func (c *Client) send(ctx context.Context, m message, settings callSettings, tries *attempts) ([]byte, *Response, error) {
	m.header = c.headerOf(&m, &settings)
	key := m.header.Get("Idempotency-Key")
	if m.header.Get("Authorization") == "" {
		m.header.Set("Authorization", c.authorization())
	}
	for m.number = 1; ; m.number++ {
		body, response, err := c.attempt(ctx, m, settings.timeout+m.more)
		if err == nil {
			response.idempotencyKey = key
			if settings.into != nil {
				*settings.into = response
			}
			return body, response, nil
		}
		if !isOfHook(err) {
			withKey(err, key)
		}
		if tries == nil {
			tries = c.attempts(m.shown(), settings)
		}
		if err := tries.after(ctx, err); err != nil {
			return nil, nil, err
		}
	}
}

func withKey(err error, key string) {
	var status *APIStatusError
	var connection *APIConnectionError
	if errors.As(err, &status) {
		status.IdempotencyKey = key
	} else if errors.As(err, &connection) {
		connection.IdempotencyKey = key
	}
}

func (c *Client) attempt(ctx context.Context, m message, limit time.Duration) ([]byte, *Response, error) {
	end, err := c.begin(ctx, &m)
	if err != nil {
		return nil, nil, err
	}
	body, response, err := c.exchange(ctx, m, limit)
	return body, response, end(response, err)
}

func (c *Client) exchange(ctx context.Context, m message, limit time.Duration) ([]byte, *Response, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	received, err := c.do(within, m)
	if err != nil {
		return nil, nil, failureOf(ctx, within, m.shown(), limit, err)
	}
	defer received.Body.Close()
	body, err := io.ReadAll(received.Body)
	if err != nil {
		return nil, nil, failureOf(ctx, within, m.shown(), limit, err)
	}
	response := responseOf(received)
	if c.logger.Enabled(ctx, slog.LevelDebug) {
		c.logger.DebugContext(ctx, "beatmarket: "+m.shown(), "status", response.Status, "duration", time.Since(start), "request_id", response.RequestID)
	}
	content, err := contentOf(m, body, response)
	return content, response, err
}

// do sends a request. net/http repeats some requests by itself, which would exceed the caller's number of retries. It does not
// repeat a request whose body it cannot read again, so GET and HEAD get an empty body of that kind. Not over HTTP/2: there an
// empty body costs a frame, and net/http repeats only requests that the server has not processed.
func (c *Client) do(ctx context.Context, m message) (*http.Response, error) {
	request := &http.Request{Method: m.method, URL: m.url, Host: m.url.Host, Header: m.header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	isRead := m.method == http.MethodGet || m.method == http.MethodHead
	if m.hasBody || (isRead && !c.speaksHTTP2.Load()) {
		request.Body = io.NopCloser(bytes.NewReader(m.body))
		request.ContentLength = int64(len(m.body))
	}
	response, err := c.transport.RoundTrip(request.WithContext(ctx))
	if err == nil && m.url.Host == c.base.Host {
		c.speaksHTTP2.Store(response.ProtoMajor == 2)
	}
	return response, err
}

// failureOf is the error of a request without a response: the error of the caller's context, a timeout, or a connection error.
func failureOf(ctx, within context.Context, shown string, limit time.Duration, cause error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var address *url.Error
	if errors.As(cause, &address) {
		cause = address.Err // Without the address: that of a link is enough to download its file.
	}
	if within.Err() != nil {
		return timeout(fmt.Sprintf("%s got no complete response within %v.", shown, limit), cause)
	}
	reason := cause.Error()
	if isOfCertificate(cause) {
		reason = fmt.Sprintf("the certificate of the server is not trusted (%s); set WithCAFile (ca_file) or BEATMARKET_CA_FILE to a PEM file of the authority that signed it", reason)
	}
	return disconnected(fmt.Sprintf("%s got no response: %s.", shown, reason), cause)
}

func disconnected(text string, cause error) *APIConnectionError {
	return &APIConnectionError{BeatMarketError: &BeatMarketError{text, cause}}
}

func timeout(text string, cause error) error { return &APITimeoutError{disconnected(text, cause)} }

// contentOf is the body of a successful response, nil if it has none. Any other response is an error.
func contentOf(m message, body []byte, response *Response) ([]byte, error) {
	body = bytes.TrimSpace(body)
	isObject := isObject(body) && json.Valid(body)
	if response.Status >= 200 && response.Status <= 299 {
		if !m.readsJSON || m.method == http.MethodHead || response.Status == http.StatusNoContent {
			return nil, nil
		}
		if !isObject {
			return nil, unexpectedBody(response, foreign(response, body), body)
		}
		if string(member(body, "status")) != `"error"` {
			return body, nil
		}
	}
	var code, reason, details string
	if isObject {
		fields := member(body, "error")
		for name, into := range map[string]*string{"code": &code, "message": &reason, "details": &details} {
			if json.Unmarshal(member(fields, name), into) != nil {
				*into = "" // The error is not the API's.
			}
		}
	}
	if reason == "" {
		reason = foreign(response, body)
		if response.Status >= 300 && response.Status <= 399 && response.Header.Get("Location") != "" {
			reason = fmt.Sprintf("The response has status %d, a redirect, which is not followed: is the base URL right?", response.Status)
		}
	}
	return nil, statusError(response, code, reason, details, body)
}

// foreign is the reason for a response of another server, such as a proxy: its content type and the beginning of its body.
func foreign(response *Response, body []byte) string {
	kind, text := mediaType(response), excerpt(body)
	if kind == "" {
		kind = "no content type"
	}
	if text == "" {
		text = "no body"
	}
	return fmt.Sprintf("The response is not the API's: %s: %s", kind, text)
}

func mediaType(response *Response) string {
	contentType, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(contentType))
}

// excerpt is the beginning of a body, on one line.
func excerpt(body []byte) string {
	isBreak := func(r rune) bool { return r <= ' ' || r == 0x7f }
	text := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(string(body), "\ufffd"), isBreak), " ")
	if characters := []rune(text); len(characters) > 200 {
		text = string(characters[:200]) + "…"
	}
	return text
}

// unexpected is the error of a response of an unknown form.
func unexpected(response *Response, reason string) error {
	return unexpectedBody(response, reason, nil)
}

// unexpectedBody is the error of a response whose body has an unknown form.
func unexpectedBody(response *Response, reason string, body []byte) error {
	base := &APIStatusError{Status: response.Status, Reason: reason, Response: response, IdempotencyKey: response.idempotencyKey}
	base.ContentType, base.Excerpt = mediaType(response), excerpt(body)
	base.BeatMarketError = &BeatMarketError{Message: sentence(base)}
	return base
}
