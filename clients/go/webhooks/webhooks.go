// Package webhooks verifies requests of Beat Marketplace to a webhook endpoint. It needs no API key.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	beatmarket "beatmarket.example/beatmarket"
)

const (
	// DefaultTolerance is the recommended tolerance of Unwrap.
	DefaultTolerance = 5 * time.Minute
	// AnyAge accepts requests of any age: X-Webhook-Signature or X-Webhook-Signature-Previous is verified, and no time.
	AnyAge time.Duration = math.MinInt64

	current  = "X-Webhook-Signature"
	previous = "X-Webhook-Signature-Previous"
)

var (
	hexadecimal = regexp.MustCompile(`^[0-9a-f]{64}$`)
	seconds     = regexp.MustCompile(`^\d{1,15}$`)
)

// Unwrap verifies a request by its header and raw body, and returns the event. A request whose time differs by more than the
// tolerance from this machine's is refused, so that nobody can send an old one again. Recognise duplicates by the event's ID. It
// returns a *beatmarket.SignatureVerificationError that says what to do, and a *beatmarket.BeatMarketError for an
// invalid secret or tolerance, and for a signed body that is not an event. During a rotation, pass the new and the old
// secret.
func Unwrap(body []byte, header http.Header, secrets []string, tolerance time.Duration) (*beatmarket.Event, error) {
	if err := verifyHeader(body, header, secrets, tolerance); err != nil {
		return nil, err
	}
	var form struct {
		Type json.RawMessage
		Data json.RawMessage
	}
	if json.Unmarshal(body, &form) != nil || !strings.HasPrefix(string(form.Type), `"`) || form.Data == nil {
		return nil, mistake("The signature is valid, but the body is not an event.")
	}
	event := new(beatmarket.Event)
	if err := json.Unmarshal(body, event); err != nil {
		return nil, mistake("The signature is valid, but the body is not an event.")
	}
	if tolerance != AnyAge && event.ID != header.Get("Webhook-Id") {
		return nil, refused("The webhook-id is not the id of the event: pass the headers of this request.")
	}
	return event, nil
}

func verifyHeader(body []byte, header http.Header, secrets []string, tolerance time.Duration) error {
	if tolerance == AnyAge {
		return verifyAny(body, []string{header.Get(current), header.Get(previous)}, secrets)
	}
	return verifyTimed(body, header, secrets, tolerance)
}

// Verify verifies the value of X-Webhook-Signature against the raw body, whatever its age. It returns errors as Unwrap does.
func Verify(body []byte, signature string, secrets ...string) error {
	return verifyAny(body, []string{signature}, secrets)
}

func verifyAny(body []byte, signatures, secrets []string) error {
	if err := checkSecrets(secrets); err != nil {
		return err
	}
	wellFormed, isThere := false, false
	for _, signature := range signatures {
		isThere = isThere || signature != ""
		if !hexadecimal.MatchString(signature) {
			continue
		}
		wellFormed = true
		given, _ := hex.DecodeString(signature) // It is hexadecimal.
		for _, secret := range secrets {
			if hmac.Equal(given, signatureOf([]byte(secret), body)) {
				return nil
			}
		}
	}
	switch {
	case wellFormed:
		return mismatch(current)
	case isThere:
		return refused("The X-Webhook-Signature is not 64 lower-case hexadecimal digits: pass the header's value as it came.")
	}
	return refused("The request has no X-Webhook-Signature: it is not from Beat Marketplace, or something on the way removed the header.")
}

// verifyTimed verifies by Standard Webhooks, whose signature covers "id.timestamp.body".
func verifyTimed(body []byte, header http.Header, secrets []string, tolerance time.Duration) error {
	if tolerance <= 0 {
		return mistake(fmt.Sprintf("The tolerance is %v; it takes a duration above 0, or webhooks.AnyAge for signatures without a time.", tolerance))
	}
	if err := checkSecrets(secrets); err != nil {
		return err
	}
	keys := make([][]byte, len(secrets))
	for index, secret := range secrets {
		key, err := keyOf(secret)
		if err != nil {
			return err
		}
		keys[index] = key
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if header.Get(name) == "" {
			return refused(fmt.Sprintf("The request has no %s: it is not from Beat Marketplace, or something on the way removed the header. A tolerance of webhooks.AnyAge accepts X-Webhook-Signature alone.", name))
		}
	}
	timestamp := header.Get("webhook-timestamp")
	if !seconds.MatchString(timestamp) {
		return refused("The webhook-timestamp is not a Unix time in seconds: pass the header as it came.")
	}
	if !matches(keys, header, body) {
		return mismatch("webhook-signature")
	}
	unix, _ := strconv.ParseInt(timestamp, 10, 64) // It has at most 15 digits.
	age := float64(time.Now().UnixMilli())/1e3 - float64(unix)
	if math.Abs(age) <= tolerance.Seconds() {
		return nil
	}
	when := "ago"
	if age < 0 {
		when = "in the future"
	}
	return refused(fmt.Sprintf("The webhook-timestamp is %.0f s %s, more than the tolerance of %.0f s: the request is an old one sent again, or the clock of this machine is wrong.", math.Abs(age), when, tolerance.Seconds()))
}

func matches(keys [][]byte, header http.Header, body []byte) bool {
	content := append([]byte(header.Get("webhook-id")+"."+header.Get("webhook-timestamp")+"."), body...)
	for entry := range strings.SplitSeq(header.Get("webhook-signature"), " ") {
		text, isKnown := strings.CutPrefix(entry, "v1,")
		given, err := base64.StdEncoding.Strict().DecodeString(text)
		if !isKnown || err != nil {
			continue
		}
		for _, key := range keys {
			if hmac.Equal(given, signatureOf(key, content)) {
				return true
			}
		}
	}
	return false
}

// Sign creates the header of a delivery, for tests of a receiver. The body is an event with an id.
func Sign(body []byte, secret string, at time.Time) (http.Header, error) {
	var event struct{ ID string }
	if json.Unmarshal(body, &event) != nil || event.ID == "" {
		return nil, mistake(`The body takes an event as JSON, such as {"id": "evt_1", "type": "beat.created", "data": {}}.`)
	}
	if err := checkSecrets([]string{secret}); err != nil {
		return nil, err
	}
	key, err := keyOf(secret)
	if err != nil {
		return nil, err
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signature := signatureOf(key, append([]byte(event.ID+"."+timestamp+"."), body...))
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set("Webhook-Id", event.ID)
	header.Set("Webhook-Timestamp", timestamp)
	header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(signature))
	header.Set(current, hex.EncodeToString(signatureOf([]byte(secret), body)))
	return header, nil
}

func signatureOf(key, content []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write(content)
	return hash.Sum(nil)
}

func checkSecrets(secrets []string) error {
	for _, secret := range secrets {
		if secret == "" {
			secrets = nil
			break
		}
	}
	if len(secrets) == 0 {
		return mistake("The webhook secret is missing or empty: is its environment variable set?")
	}
	return nil
}

func keyOf(secret string) ([]byte, error) {
	text := strings.TrimPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) == 0 || strings.ContainsAny(text, "\r\n") {
		return nil, mistake("The webhook secret is not whsec_ and base64: pass the whole secret of the endpoint.")
	}
	return key, nil
}

func mismatch(header string) error {
	return refused(fmt.Sprintf("The %s does not match. Pass the raw bytes of the body, before anything parses them, and the whole secret, whsec_ included.", header))
}

func mistake(text string) error { return &beatmarket.BeatMarketError{Message: text} }

func refused(text string) error {
	return &beatmarket.SignatureVerificationError{BeatMarketError: &beatmarket.BeatMarketError{Message: text}}
}
