package beatmarket

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

const defaultBaseURL = "https://localhost:8443/v1"

// Client is a client of the Beat Marketplace API. It keeps connections open and is safe for concurrent use: one
// serves a whole program.
type Client struct {
	services
	// authorization is a function, so that no printed client has the key.
	authorization func() string
	base          *url.URL
	// transport does not follow redirects, because their target would get the key. openLink follows the redirects of links.
	transport http.RoundTripper
	logger    *slog.Logger
	defaults  callSettings
	userAgent string
	observers observers
	// speaksHTTP2 says whether the last response of the API came over HTTP/2.
	speaksHTTP2 atomic.Bool
}

// New creates a client. It returns a BeatMarketError for a missing API key and for invalid settings.
func New(options ...Option) (*Client, error) {
	s := settings{timeout: 30 * time.Second, maxRetries: 2, maxRetryAfter: time.Minute}
	for _, option := range options {
		option(&s)
	}
	key, err := apiKeyOf(setting(s.apiKey, "BEATMARKET_API_KEY"))
	if err != nil {
		return nil, err
	}
	base, err := baseURLOf(cmp.Or(setting(s.baseURL, "BEATMARKET_BASE_URL"), defaultBaseURL), s.allowsHTTP)
	if err != nil {
		return nil, err
	}
	defaults := callSettings{timeout: s.timeout, maxRetries: s.maxRetries, maxRetryAfter: s.maxRetryAfter, extras: s.extras}
	if err := defaults.check(); err != nil {
		return nil, err
	}
	if s.maxRetryAfter < 0 {
		return nil, errorf("The longest wait for Retry-After is %v; it takes a duration from 0.", s.maxRetryAfter)
	}
	if len(s.extras.query) > 0 || len(s.extras.body) > 0 {
		return nil, errorf("WithDefaults takes no WithQueryValue and no WithBodyField: pass them to a call.")
	}
	agent, err := userAgentOf(s.userAgentSuffix)
	if err != nil {
		return nil, err
	}
	transport, err := s.roundTripper()
	if err != nil {
		return nil, err
	}
	logger := cmp.Or(s.logger, slog.New(slog.DiscardHandler))
	c := &Client{authorization: func() string { return "Bearer " + key }, base: base, transport: transport, logger: logger, defaults: defaults, userAgent: agent}
	c.observers = observers{s.onRequest, s.onResponse, logLevelOf(os.Getenv("BEATMARKET_LOG"))}
	c.services = newServices(c)
	return c, nil
}

// Format prints the client without its settings.
func (c *Client) Format(state fmt.State, _ rune) { fmt.Fprintf(state, "beatmarket.Client(%s)", c.base) }

func setting(given *string, variable string) string {
	if given != nil {
		return *given
	}
	return os.Getenv(variable)
}

// isVisible says whether a text has only visible ASCII characters, and at least one. It is not a regular expression, because that
// would be compiled at the start of each program with this package.
func isVisible(text string) bool { return isWithin(text, '!', '~') }

// isWithin says whether a text has only bytes from first to last, and at least one.
func isWithin(text string, first, last byte) bool {
	for at := range len(text) {
		if text[at] < first || text[at] > last {
			return false
		}
	}
	return text != ""
}

// A key or address that was read from a file may have white space around it.
func trim(text string) string { return strings.Trim(text, "\t\n\v\f\r ") }

func apiKeyOf(given string) (string, error) {
	key := trim(given)
	if key == "" {
		return "", errorf("There is no API key: pass WithAPIKey, or set the environment variable BEATMARKET_API_KEY.")
	}
	if !isVisible(key) {
		return "", errorf("The API key has a space, a line break or another character that no key has.")
	}
	return key, nil
}

func userAgentOf(suffix *string) (string, error) {
	own := fmt.Sprintf("beatmarket-go/%s %s", Version, runtime.Version())
	if suffix == nil {
		return own, nil
	}
	if !isWithin(*suffix, ' ', '~') {
		return "", errorf("WithUserAgentSuffix takes one line of ASCII, such as my-shop/1.2.")
	}
	return own + " " + *suffix, nil
}

func baseURLOf(given string, allowsHTTP bool) (*url.URL, error) {
	text := trim(given)
	base, err := url.Parse(text)
	isURL := err == nil && isVisible(text) && base.Host != "" && (base.Scheme == "https" || base.Scheme == "http")
	if !isURL || base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || base.User != nil {
		return nil, errorf("The base URL takes a URL such as %s.", defaultBaseURL)
	}
	if !allowsHTTP && !isConfidential(base) {
		return nil, errorf("The base URL begins with http:, which sends the key unencrypted; use https:, or WithAllowHTTP (allow_http).")
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), ""
	return base, nil
}

// isConfidential says whether nobody on the network can read a request to this URL: it is https, or this machine.
func isConfidential(address *url.URL) bool {
	host := address.Hostname()
	isLoopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	return address.Scheme == "https" || (address.Scheme == "http" && isLoopback)
}

func (s *settings) roundTripper() (http.RoundTripper, error) {
	if s.httpClient != nil {
		if s.httpClient.Transport == nil {
			return http.DefaultTransport, nil
		}
		return s.httpClient.Transport, nil
	}
	transport := s.transport()
	if path := setting(s.caFile, "BEATMARKET_CA_FILE"); path != "" {
		pem, err := os.ReadFile(path)
		authorities := x509.NewCertPool()
		if err != nil || !authorities.AppendCertsFromPEM(pem) {
			return nil, &BeatMarketError{fmt.Sprintf("The CA file %s is not a readable PEM file of certificates.", path), err}
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	}
	return transport, nil
}

func (s *settings) transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 16
	transport.IdleConnTimeout = 60 * time.Second
	return transport
}
