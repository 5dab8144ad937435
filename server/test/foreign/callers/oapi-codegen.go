// Lists beats with a client that oapi-codegen generated.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"foreign/beatmarket"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := beatmarket.NewClientWithResponses(os.Getenv("ORIGIN")+"/v1", beatmarket.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	limit, sort := int32(3), beatmarket.ListBeatsParamsSortPopular
	page, err := client.ListBeatsWithResponse(context.Background(), &beatmarket.ListBeatsParams{Limit: &limit, Sort: &sort})
	if err != nil {
		log.Fatal(err)
	}
	if page.JSON200 == nil {
		log.Fatal(page.Status())
	}
	listed := []map[string]any{}
	for _, beat := range page.JSON200.Data.Beats {
		listed = append(listed, map[string]any{"id": beat.Id, "title": beat.Title, "price": beat.Price})
	}
	if err := json.NewEncoder(os.Stdout).Encode(listed); err != nil {
		log.Fatal(err)
	}
}
