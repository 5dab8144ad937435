package beatmarkettest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/beatmarkettest"
	"beatmarket.example/beatmarket/webhooks"
)

func TestEveryEventTypeHasADelivery(t *testing.T) {
	for _, eventType := range beatmarket.EventTypes() {
		body, secret := beatmarkettest.Event(string(eventType)), "whsec_dGVzdA=="
		header, err := webhooks.Sign(body, secret, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		event, err := webhooks.Unwrap(body, header, []string{secret}, webhooks.DefaultTolerance)
		if err != nil || event.Type != eventType {
			t.Error(eventType, event, err)
		}
	}
}

func TestAnExampleIsACopy(t *testing.T) {
	clear(beatmarkettest.Response("getBeat"))
	if !json.Valid(beatmarkettest.Response("getBeat")) {
		t.Error("the change of an example changed the next one")
	}
}

func TestAnUnknownExamplePanics(t *testing.T) {
	defer func() {
		if message := fmt.Sprint(recover()); message != "beatmarkettest: there is no example of playBeat" {
			t.Error(message)
		}
	}()
	beatmarkettest.Response("playBeat")
}

func ExampleResponse() {
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		_, _ = response.Write(beatmarkettest.Response("getBeat"))
	}))
	defer server.Close()
	client, err := beatmarket.New(beatmarket.WithAPIKey("bm_test"), beatmarket.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		panic(err)
	}
	beat, err := client.Beats.Get(context.Background(), 1)
	fmt.Println(beat.Title, err)
	// Output: Telephone & Shadow <nil>
}
