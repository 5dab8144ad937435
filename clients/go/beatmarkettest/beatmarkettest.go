// Package beatmarkettest has recorded examples of the API, for tests that need no service.
package beatmarkettest

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed fixtures.json
var fixtures []byte

type examples struct {
	Responses map[string]json.RawMessage
	Events    map[string]json.RawMessage
}

var recorded = sync.OnceValue(func() (all examples) {
	if err := json.Unmarshal(fixtures, &all); err != nil {
		panic(err)
	}
	return all
})

// Response returns the body of a successful response of an operation, such as "getBeat". It panics for an unknown
// operation, because it is for tests, like httptest.NewRequest.
func Response(operation string) []byte { return example(recorded().Responses, operation) }

// Event returns the body of a delivery, such as of "beat.purchased", for [webhooks.Sign]. It panics for a type that this
// version does not know.
//
// [webhooks.Sign]: https://pkg.go.dev/beatmarket.example/beatmarket/webhooks#Sign
func Event(eventType string) []byte { return example(recorded().Events, eventType) }

// example returns a copy, which a test can change.
func example(group map[string]json.RawMessage, name string) []byte {
	body, is := group[name]
	if !is {
		panic("beatmarkettest: there is no example of " + name)
	}
	return append([]byte(nil), body...)
}
