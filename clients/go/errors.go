package beatmarket

import (
	"fmt"
	"net/http"
)

// BeatMarketError is part of every error that this package creates, so errors.As finds it in all of them. On its own,
// it reports an invalid argument or setting before a request is sent, or a file that cannot be read or written.
type BeatMarketError struct {
	Message string
	Cause   error
}

// Error returns the message.
func (e *BeatMarketError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *BeatMarketError) Unwrap() error { return e.Cause }

// errorf creates a BeatMarketError without a cause.
func errorf(format string, args ...any) *BeatMarketError {
	return &BeatMarketError{Message: fmt.Sprintf(format, args...)}
}

// APIConnectionError means that there was no complete response: the connection was refused or cut, its certificate is
// invalid, or a download is incomplete.
type APIConnectionError struct {
	*BeatMarketError
	// IdempotencyKey is the key of the call, even if it was generated. A call repeated with this key within 24 hours
	// takes effect only once.
	IdempotencyKey string
}

// Unwrap returns the embedded BeatMarketError.
func (e *APIConnectionError) Unwrap() error { return e.BeatMarketError }

// APITimeoutError means that there was no complete response within the time limit of one attempt, or that an upload was
// not ready within the limit of Uploads.Wait.
type APITimeoutError struct{ *APIConnectionError }

// Unwrap returns the embedded APIConnectionError.
func (e *APITimeoutError) Unwrap() error { return e.APIConnectionError }

// APIStatusError is an error response, or a response of an unknown form.
type APIStatusError struct {
	*BeatMarketError
	Status int
	// Code is the API's error code; "" if the response is not an error response of the API.
	Code string
	// Reason is the API's short text, such as "Conflict".
	Reason  string
	Details string
	// IdempotencyKey is the key of the call, even if it was generated; "" if the call had none.
	IdempotencyKey string
	// ContentType has no parameters, such as "text/html" of a proxy that responded in place of the API; "" without one.
	ContentType string
	// Excerpt is the first 200 characters of the body on one line; "" without a body.
	Excerpt  string
	Response *Response
}

// Unwrap returns the embedded BeatMarketError.
func (e *APIStatusError) Unwrap() error { return e.BeatMarketError }

// InvalidRequestError is 400, and other statuses with the code invalid_request, such as 409: the request is invalid, or
// conflicts with the state.
type InvalidRequestError struct{ *APIStatusError }

// AuthenticationError is 401: the API key is missing or invalid.
type AuthenticationError struct{ *APIStatusError }

// PermissionDeniedError is 403: the key may not make this call; Details has the reason, such as a missing permission.
type PermissionDeniedError struct{ *APIStatusError }

// NotFoundError is 404: the resource does not exist, or the account may not see it.
type NotFoundError struct{ *APIStatusError }

// GoneError is 410. For changes and events: the entries after a position are no longer stored; load an export, or begin
// the events without a position. For an archive: the order was refunded in full. For any other download: the link was
// refused, and so was the new one that the client requested.
type GoneError struct{ *APIStatusError }

// PreconditionFailedError is 412: the beat has changed since the response whose ETag WithIfMatch sends.
type PreconditionFailedError struct{ *APIStatusError }

// RateLimitError is 429: a rate limit of the key's plan is exceeded, for Response.RetryAfter.
type RateLimitError struct{ *APIStatusError }

// ServerError is 500 to 599: the service or a proxy in front of it failed.
type ServerError struct{ *APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *InvalidRequestError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *AuthenticationError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *PermissionDeniedError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *NotFoundError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *GoneError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *PreconditionFailedError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *RateLimitError) Unwrap() error { return e.APIStatusError }

// Unwrap returns the APIStatusError within.
func (e *ServerError) Unwrap() error { return e.APIStatusError }

// SignatureVerificationError is a webhook request with a missing or invalid signature, time or id. The message says
// what to do.
type SignatureVerificationError struct{ *BeatMarketError }

// Unwrap returns the BeatMarketError within.
func (e *SignatureVerificationError) Unwrap() error { return e.BeatMarketError }

// ChecksumError is a downloaded file whose bytes differ from the listed checksum. The file is deleted.
type ChecksumError struct{ *BeatMarketError }

// Unwrap returns the BeatMarketError within.
func (e *ChecksumError) Unwrap() error { return e.BeatMarketError }

// UploadRejectedError is an upload whose file was rejected; the message is the reason.
type UploadRejectedError struct {
	*BeatMarketError
	Upload *Upload
}

// Unwrap returns the BeatMarketError within.
func (e *UploadRejectedError) Unwrap() error { return e.BeatMarketError }

// statusError creates the error of a status or, for other statuses, of the error code.
func statusError(response *Response, code, reason, details string, body []byte) error {
	base := &APIStatusError{Status: response.Status, Code: code, Reason: reason, Details: details, Response: response}
	base.ContentType, base.Excerpt = mediaType(response), excerpt(body)
	base.BeatMarketError = &BeatMarketError{Message: sentence(base)}
	switch status := response.Status; {
	case status == http.StatusGone:
		return &GoneError{base}
	case status == http.StatusPreconditionFailed:
		return &PreconditionFailedError{base}
	default:
		return named(errorName(status, code), base)
	}
}

func errorName(status int, code string) string {
	byStatus := map[int]string{400: "invalid_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "rate_limit_exceeded"}
	if status >= 500 && status <= 599 {
		return errorNames["server_error"]
	}
	if known, is := byStatus[status]; is {
		return errorNames[known]
	}
	return errorNames[code]
}

func named(name string, base *APIStatusError) error {
	switch name {
	case "InvalidRequestError":
		return &InvalidRequestError{base}
	case "AuthenticationError":
		return &AuthenticationError{base}
	case "PermissionDeniedError":
		return &PermissionDeniedError{base}
	case "NotFoundError":
		return &NotFoundError{base}
	case "RateLimitError":
		return &RateLimitError{base}
	case "ServerError":
		return &ServerError{base}
	default:
		return base
	}
}

func sentence(e *APIStatusError) string {
	text := fmt.Sprint(e.Status)
	if e.Code != "" {
		text += " " + e.Code
	}
	text += ": " + e.Reason
	if e.Details != "" {
		text += ": " + e.Details
	}
	if e.Response.RequestID != "" {
		text += fmt.Sprintf(" (request %s)", e.Response.RequestID)
	}
	return text
}
