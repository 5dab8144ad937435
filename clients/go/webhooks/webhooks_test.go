package webhooks_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/webhooks"
)

const secret = "whsec_c2VjcmV0LW9mLXRlc3Rz"

var body = []byte(`{"id":"evt_1","created":1795176000,"type":"beat.purchased","data":{"beat_id":7}}`)

func signed(t *testing.T, at time.Time) http.Header {
	t.Helper()
	header, err := webhooks.Sign(body, secret, at)
	if err != nil {
		t.Fatal(err)
	}
	return header
}

func TestASignedDeliveryIsAnEvent(t *testing.T) {
	for name, tolerance := range map[string]time.Duration{"timed": webhooks.DefaultTolerance, "any age": webhooks.AnyAge} {
		event, err := webhooks.Unwrap(body, signed(t, time.Now()), []string{"whsec_b3RoZXI=", secret}, tolerance)
		if err != nil {
			t.Fatal(name, err)
		}
		purchase, is := event.Data.(*beatmarket.Purchase)
		if !is || purchase.BeatID != 7 || event.Type != beatmarket.EventTypeBeatPurchased {
			t.Errorf("%s: the event is %+v", name, event)
		}
	}
}

func TestAnInvalidSignatureOrTimeIsRefused(t *testing.T) {
	now := time.Now()
	without, other := signed(t, now), signed(t, now)
	without.Del("Webhook-Signature")
	other.Set("Webhook-Id", "evt_2")
	for name, header := range map[string]http.Header{
		"old": signed(t, now.Add(-time.Hour)), "future": signed(t, now.Add(time.Hour)), "unsigned": without, "another id": other,
	} {
		_, err := webhooks.Unwrap(body, header, []string{secret}, webhooks.DefaultTolerance)
		var refused *beatmarket.SignatureVerificationError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMistakesAreNotSignatureErrors(t *testing.T) {
	var refused *beatmarket.SignatureVerificationError
	for name, secrets := range map[string][]string{"none": nil, "empty": {""}, "no base64": {"whsec_!"}} {
		_, err := webhooks.Unwrap(body, signed(t, time.Now()), secrets, webhooks.DefaultTolerance)
		if err == nil || errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := webhooks.Unwrap(body, signed(t, time.Now()), []string{secret}, 0); err == nil || errors.As(err, &refused) {
		t.Error(err)
	}
	if _, err := webhooks.Sign([]byte("{}"), secret, time.Now()); err == nil {
		t.Error("a body without an id is signed")
	}
}

func TestAnEventOfANewTypeKeepsItsData(t *testing.T) {
	var event beatmarket.Event
	if err := json.Unmarshal([]byte(`{"id":"evt_1","type":"beat.hummed","data":{"by":1}}`), &event); err != nil {
		t.Fatal(err)
	}
	if raw, is := event.Data.(json.RawMessage); !is || string(raw) != `{"by":1}` {
		t.Errorf("the data is %v", event.Data)
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add(body, "v1,"+base64.StdEncoding.EncodeToString([]byte("x")), "1795176000")
	f.Fuzz(func(t *testing.T, body []byte, signature, timestamp string) {
		header := http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {signature}}
		if _, err := webhooks.Unwrap(body, header, []string{secret}, webhooks.DefaultTolerance); err == nil {
			t.Error("a random signature is accepted")
		}
	})
}
