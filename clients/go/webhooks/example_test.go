package webhooks_test

import (
	"fmt"
	"log"
	"time"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/webhooks"
)

const delivery = `{"id":"evt_1","created":1795176000,"type":"beat.purchased","data":{"title":"Night Drive"}}`

func ExampleUnwrap() {
	secret := "whsec_dGVzdA=="
	header, err := webhooks.Sign([]byte(delivery), secret, time.Now()) // In your program: request.Header
	if err != nil {
		log.Fatal(err)
	}
	event, err := webhooks.Unwrap([]byte(delivery), header, []string{secret}, webhooks.DefaultTolerance)
	if err != nil {
		log.Fatal(err)
	}
	if purchase, is := event.Data.(*beatmarket.Purchase); is {
		fmt.Println(event.ID, purchase.Title)
	}
	// Output: evt_1 Night Drive
}

func ExampleSign() {
	header, err := webhooks.Sign([]byte(delivery), "whsec_dGVzdA==", time.Unix(1_795_176_000, 0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"))
	// Output: evt_1 1795176000
}
