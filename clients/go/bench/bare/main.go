// Command bare makes a client of net/http, to measure the start of a process with it.
package main

import (
	"encoding/json"
	"net/http"
)

func main() {
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	_ = json.Valid([]byte(client.Timeout.String()))
}
