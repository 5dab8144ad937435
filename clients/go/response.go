package beatmarket

import (
	"net/http"
	"strconv"
	"time"
)

// Response is the metadata of a response.
type Response struct {
	Status int
	Header http.Header
	// RequestID is the header X-Request-Id; quote it when you report a problem. "" if the response has none.
	RequestID string
	// ETag is the version of the returned resource, for WithIfMatch; "" if the response has none.
	ETag string
	// RateLimit is nil if the response has no such headers, as on a plan without limits.
	RateLimit *RateLimit
	// RetryAfter is how long to wait before the next request; nil if the response does not say.
	RetryAfter *time.Duration

	// idempotencyKey is the key of the request, for the error of a successful response that cannot be parsed.
	idempotencyKey string
}

// RateLimit is the rate limit with the fewest requests left.
type RateLimit struct {
	Limit     int `json:"limit"`
	Remaining int `json:"remaining"`
	// Reset is the Unix time in seconds at which the next request becomes available.
	Reset int `json:"reset"`
}

func responseOf(received *http.Response) *Response {
	header := received.Header
	return &Response{
		Status:     received.StatusCode,
		Header:     header,
		RequestID:  header.Get("X-Request-Id"),
		ETag:       header.Get("ETag"),
		RateLimit:  rateLimitOf(header),
		RetryAfter: retryAfterOf(header.Get("Retry-After")),
	}
}

func rateLimitOf(header http.Header) *RateLimit {
	var numbers [3]int
	if header.Get("X-Ratelimit-Limit") == "" { // An error of ParseUint costs more than the rest of the response's head.
		return nil
	}
	for index, name := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		number, err := strconv.ParseUint(header.Get(name), 10, 53)
		if err != nil {
			return nil
		}
		numbers[index] = int(number)
	}
	return &RateLimit{numbers[0], numbers[1], numbers[2]}
}

func retryAfterOf(text string) *time.Duration {
	if text == "" {
		return nil
	}
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	if at, err := http.ParseTime(text); err == nil && time.Until(at) >= 0 {
		wait := time.Until(at)
		return &wait
	}
	return nil
}
