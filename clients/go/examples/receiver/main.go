// Receives webhooks, each event once: WEBHOOK_SECRET=whsec_… go run .
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/webhooks"
)

// seen has the ids of the received events. In production, use a unique column of your database: a delivery can arrive
// more than once, even after a restart.
var seen sync.Map

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	event, err := webhooks.Unwrap(body, request.Header, []string{os.Getenv("WEBHOOK_SECRET")}, webhooks.DefaultTolerance)
	var forged *beatmarket.SignatureVerificationError
	if errors.As(err, &forged) {
		http.Error(response, err.Error(), http.StatusUnauthorized)
		return
	}
	if err != nil {
		log.Println(err)
		http.Error(response, "The event was not received.", http.StatusInternalServerError)
		return
	}
	if _, isKnown := seen.LoadOrStore(event.ID, true); !isKnown {
		fmt.Println(event.Type, event.ID) // Enqueue it, and respond at once.
	}
}

func main() {
	listener, err := net.Listen("tcp", "localhost:"+cmp.Or(os.Getenv("PORT"), "3000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening at http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
