// Command bare creates a client of net/http, to measure the start of such a process.
package main

import (
	"encoding/json"
	"net/http"
)

func main() {
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	_ = json.Valid([]byte(client.Timeout.String()))
}
