// Lists beats with a client that openapi-generator generated (-g go).
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/example/beatmarket"
)

func main() {
	configuration := beatmarket.NewConfiguration()
	configuration.Servers = beatmarket.ServerConfigurations{{URL: os.Getenv("ORIGIN") + "/v1"}}
	client := beatmarket.NewAPIClient(configuration)

	ctx := context.WithValue(context.Background(), beatmarket.ContextAccessToken, os.Getenv("API_KEY"))
	page, _, err := client.BeatsAPI.ListBeats(ctx).Limit(3).Sort("popular").Execute()
	if err != nil {
		log.Fatal(err)
	}
	listed := []map[string]any{}
	for _, beat := range page.Data.Beats {
		listed = append(listed, map[string]any{"id": beat.Id, "title": beat.Title, "price": beat.Price})
	}
	if err := json.NewEncoder(os.Stdout).Encode(listed); err != nil {
		log.Fatal(err)
	}
}
