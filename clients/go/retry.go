package beatmarket

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
)

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
	// With these, the transfer of a file outlives a restart of the service and a change of network.
	leastTransferRetries = 5
)

// attempts counts the attempts of one call, or of the transfer of a file.
type attempts struct {
	what          string
	maxRetries    int
	maxRetryAfter time.Duration
	logger        *slog.Logger
	failed        int
}

func (c *Client) attempts(what string, settings callSettings) *attempts {
	return &attempts{what: what, maxRetries: settings.maxRetries, maxRetryAfter: settings.maxRetryAfter, logger: c.logger}
}

// number is the number of the current attempt, from 1.
func (a *attempts) number() int { return a.failed + 1 }

func transferRetries(maxRetries int) int {
	if maxRetries == 0 {
		return 0
	}
	return max(maxRetries, leastTransferRetries)
}

// after waits until the next attempt. If no attempts are left, it returns the error of the last one.
func (a *attempts) after(ctx context.Context, failure error) error {
	a.failed++
	wait, isRetried := waitAfter(failure, a.failed, a.maxRetryAfter)
	if a.failed > a.maxRetries || !isRetried {
		return failure
	}
	a.logger.WarnContext(ctx, "beatmarket: trying again", "call", a.what, "error", failure.Error(), "wait", wait, "attempt", a.failed)
	return pause(ctx, wait)
}

func waitAfter(failure error, failed int, longest time.Duration) (time.Duration, bool) {
	var status *APIStatusError
	var connection *APIConnectionError
	switch {
	case isOfHook(failure):
		return 0, false
	case errors.As(failure, &status):
		after := status.Response.RetryAfter
		switch status.Status {
		case 408, 423, 429, 460, 500, 502, 503, 504:
		case 409:
			if after == nil {
				return 0, false
			}
		default:
			return 0, false
		}
		if after != nil {
			return *after, *after <= longest
		}
	case !errors.As(failure, &connection) || isOfCertificate(failure):
		return 0, false
	}
	wait := min(firstWait<<min(failed-1, 10), longestWait)
	return time.Duration(float64(wait) * (0.5 + rand.Float64()/2)), true
}

func isOfCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
