package beatmarket

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Option is a setting of a client.
type Option func(*settings)

type settings struct {
	apiKey, baseURL, caFile *string
	timeout, maxRetryAfter  time.Duration
	maxRetries              int
	logger                  *slog.Logger
	httpClient              *http.Client
	userAgentSuffix         *string
	allowsHTTP              bool
	onRequest               func(context.Context, RequestFacts) error
	onResponse              func(context.Context, ResponseFacts) error
	extras                  extras
}

// WithAPIKey sets the API key. Default: BEATMARKET_API_KEY of the environment.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = &key } }

// WithBaseURL sets the address, which ends in /v1. Default: BEATMARKET_BASE_URL, else https://localhost:8443/v1.
func WithBaseURL(address string) Option { return func(s *settings) { s.baseURL = &address } }

// WithCAFile sets a PEM file of the certificate authorities to trust instead of the system's. Default: BEATMARKET_CA_FILE.
func WithCAFile(path string) Option { return func(s *settings) { s.caFile = &path } }

// WithMaxRetryAfter sets the longest wait that the service may ask for; above it a call fails at once. Default: a minute.
func WithMaxRetryAfter(wait time.Duration) Option {
	return func(s *settings) { s.maxRetryAfter = wait }
}

// WithLogger logs each response at level debug and each retry as a warning, without keys and secrets.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// WithHTTPClient sends with the Transport of an HTTP client, for example in tests. Nothing else of it is used.
func WithHTTPClient(client *http.Client) Option { return func(s *settings) { s.httpClient = client } }

// WithUserAgentSuffix names a program at the end of the User-Agent, such as "my-shop/1.2".
func WithUserAgentSuffix(suffix string) Option {
	return func(s *settings) { s.userAgentSuffix = &suffix }
}

// WithAllowHTTP allows a base URL in plain http on any host, for example of a side-car or a mock server: everybody on the way
// can read the key. Without this option, http is allowed for this machine only.
func WithAllowHTTP() Option { return func(s *settings) { s.allowsHTTP = true } }

// WithDefaults sets the options of every call that does not have its own: WithTimeout, WithMaxRetries and WithHeader.
func WithDefaults(options ...CallOption) Option {
	return func(s *settings) {
		settings := callSettings{timeout: s.timeout, maxRetries: s.maxRetries, extras: s.extras}
		for _, option := range options {
			option(&settings)
		}
		s.timeout, s.maxRetries, s.extras = settings.timeout, settings.maxRetries, settings.extras
	}
}

// CallOption is a setting of one call.
type CallOption func(*callSettings)

type callSettings struct {
	timeout        time.Duration
	maxRetries     int
	maxRetryAfter  time.Duration
	idempotencyKey *string
	ifMatch        *string
	into           **Response
	extras         extras
}

// WithTimeout limits each attempt, including the response's body. Default: 30 seconds. In a download, it is the longest
// wait for the next bytes.
func WithTimeout(limit time.Duration) CallOption { return func(s *callSettings) { s.timeout = limit } }

// WithMaxRetries sets the attempts after the first. Default: 2.
func WithMaxRetries(count int) CallOption { return func(s *callSettings) { s.maxRetries = count } }

// WithIdempotencyKey sets the Idempotency-Key of a call: 1 to 255 visible ASCII characters. Store a key of your own to repeat
// the call safely after a restart. Default: a random key.
func WithIdempotencyKey(key string) CallOption {
	return func(s *callSettings) { s.idempotencyKey = &key }
}

// WithIfMatch changes something only if it has not changed since the response with this ETag.
func WithIfMatch(etag string) CallOption { return func(s *callSettings) { s.ifMatch = &etag } }

// WithResponse stores the metadata of a successful response in into.
func WithResponse(into **Response) CallOption { return func(s *callSettings) { s.into = into } }

func (s *callSettings) check() error {
	switch {
	case s.timeout <= 0:
		return errorf("The timeout is %v; it takes a duration above 0.", s.timeout)
	case s.maxRetries < 0:
		return errorf("The number of retries is %d; it takes a whole number from 0.", s.maxRetries)
	case s.idempotencyKey != nil && (len(*s.idempotencyKey) > 255 || !isVisible(*s.idempotencyKey)):
		return errorf("WithIdempotencyKey takes 1 to 255 visible ASCII characters.")
	case s.ifMatch != nil && !isVisible(*s.ifMatch):
		return errorf(`WithIfMatch takes the ETag of a response, such as "v7-0a1b2c".`)
	}
	return s.extras.check()
}
