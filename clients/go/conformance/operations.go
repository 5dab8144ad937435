package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"beatmarket.example/beatmarket"
)

// method is the place of a method, with the names of its positional arguments.
type method struct {
	service, name string
	arguments     []string
}

var methods = map[string]method{
	"listBeats":            {"Beats", "List", nil},
	"getBeat":              {"Beats", "Get", []string{"beat_id"}},
	"listSimilarBeats":     {"Beats", "Similar", []string{"beat_id"}},
	"createBeat":           {"Beats", "Create", nil},
	"updateBeat":           {"Beats", "Update", []string{"beat_id"}},
	"withdrawBeat":         {"Beats", "Withdraw", []string{"beat_id"}},
	"listOwnBeats":         {"Users", "MyBeats", nil},
	"getUser":              {"Users", "Get", []string{"user_id"}},
	"updateProfile":        {"Users", "UpdateProfile", nil},
	"listFollowing":        {"Users", "Following", nil},
	"followUser":           {"Users", "Follow", []string{"user_id"}},
	"unfollowUser":         {"Users", "Unfollow", []string{"user_id"}},
	"listUploads":          {"Uploads", "List", nil},
	"getUpload":            {"Uploads", "Get", []string{"upload_id"}},
	"retryUpload":          {"Uploads", "Retry", []string{"upload_id"}},
	"deleteUpload":         {"Uploads", "Delete", []string{"upload_id"}},
	"listProducers":        {"Producers", "List", nil},
	"listGenres":           {"Genres", "List", nil},
	"search":               {"", "Search", []string{"q"}},
	"listOrders":           {"Orders", "List", nil},
	"getOrder":             {"Orders", "Get", []string{"order_id"}},
	"createOrder":          {"Orders", "Create", nil},
	"listOrderFiles":       {"Orders", "Files", []string{"order_id"}},
	"listOrderInvoices":    {"Orders", "Invoices", []string{"order_id"}},
	"createSandbox":        {"Sandboxes", "Create", nil},
	"listSandboxes":        {"Sandboxes", "List", nil},
	"getSandbox":           {"Sandboxes", "Get", []string{"sandbox_id"}},
	"deleteSandbox":        {"Sandboxes", "Delete", []string{"sandbox_id"}},
	"advanceSandbox":       {"Sandboxes", "Advance", []string{"sandbox_id"}},
	"forkSandbox":          {"Sandboxes", "Fork", []string{"sandbox_id"}},
	"triggerEvent":         {"Events", "Trigger", nil},
	"downloadOrderArchive": {"Orders", "Archive", []string{"order_id", "path"}},
	"createCheckout":       {"Checkouts", "Create", nil},
	"createQuote":          {"Quotes", "Create", nil},
	"askLicense":           {"Licenses", "May", []string{"license_id"}},
	"upgradeLicense":       {"Licenses", "Upgrade", []string{"license_id"}},
	"listLicenseUsage":     {"Licenses", "Usage", []string{"license_id"}},
	"reportLicenseUsage":   {"Licenses", "ReportUsage", []string{"license_id"}},
	"getCheckout":          {"Checkouts", "Get", []string{"checkout_id"}},
	"listFavorites":        {"Favorites", "List", nil},
	"addFavorite":          {"Favorites", "Add", []string{"beat_id"}},
	"removeFavorite":       {"Favorites", "Remove", []string{"beat_id"}},
	"listPlaylists":        {"Playlists", "List", nil},
	"createPlaylist":       {"Playlists", "Create", nil},
	"getPlaylist":          {"Playlists", "Get", []string{"playlist_id"}},
	"updatePlaylist":       {"Playlists", "Update", []string{"playlist_id"}},
	"deletePlaylist":       {"Playlists", "Delete", []string{"playlist_id"}},
	"addPlaylistBeat":      {"Playlists", "AddBeat", []string{"playlist_id", "beat_id"}},
	"removePlaylistBeat":   {"Playlists", "RemoveBeat", []string{"playlist_id", "beat_id"}},
	"listSales":            {"Sales", "List", nil},
	"exportSales":          {"Sales", "Export", []string{"month", "path"}},
	"listChanges":          {"Changes", "List", nil},
	"exportBeats":          {"Exports", "Beats", []string{"path"}},
	"listEvents":           {"Events", "List", nil},
	"listRequests":         {"Requests", "List", nil},
	"getRequest":           {"Requests", "Get", []string{"request_id"}},
	"getEvent":             {"Events", "Get", []string{"event_id"}},
}

type arguments map[string]json.RawMessage

// functionOf finds the method of an operation, with a suffix such as All.
func functionOf(client *beatmarket.Client, operation, suffix string) (reflect.Value, method, error) {
	method, is := methods[operation]
	if !is {
		return reflect.Value{}, method, unsupported("operation " + operation)
	}
	owner := reflect.ValueOf(client)
	if method.service != "" {
		owner = owner.Elem().FieldByName(method.service)
	}
	function := owner.MethodByName(method.name + suffix)
	if !function.IsValid() {
		return function, method, unsupported("method " + method.name + suffix)
	}
	return function, method, nil
}

// invoke calls a method like a Go developer, with arguments in wire names.
func invoke(ctx context.Context, client *beatmarket.Client, operation, suffix string, given arguments, options ...beatmarket.CallOption) ([]reflect.Value, error) {
	// With ids or fields, a Go developer calls ListDetails.
	isDetailed := operation == "listBeats" && suffix == "" && (given["ids"] != nil || given["fields"] != nil)
	if isDetailed {
		suffix = "Details"
	}
	function, method, err := functionOf(client, operation, suffix)
	if err != nil {
		return nil, err
	}
	values := []reflect.Value{reflect.ValueOf(ctx)}
	for _, name := range method.arguments {
		value := reflect.New(function.Type().In(len(values)))
		if raw := given[name]; raw != nil && json.Unmarshal(raw, value.Interface()) != nil {
			return nil, uncompilable(fmt.Sprintf("%s as %s", raw, name))
		}
		values = append(values, value.Elem())
	}
	for len(values) < function.Type().NumIn()-1 {
		value, err := structOf(function.Type().In(len(values)), given)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	for _, option := range append(options, headersOf(given)...) {
		values = append(values, reflect.ValueOf(option))
	}
	return function.Call(values), nil
}

func headersOf(given arguments) (options []beatmarket.CallOption) {
	var text string
	if raw := given["idempotency_key"]; raw != nil && string(raw) != "null" && json.Unmarshal(raw, &text) == nil {
		options = append(options, beatmarket.WithIdempotencyKey(text))
	}
	if raw := given["if_match"]; raw != nil && string(raw) != "null" && json.Unmarshal(raw, &text) == nil {
		options = append(options, beatmarket.WithIfMatch(text))
	}
	return options
}

// structOf fills the parameters of a query or the fields of a body.
func structOf(of reflect.Type, given arguments) (reflect.Value, error) {
	value := reflect.New(of).Elem()
	for index := range of.NumField() {
		raw := given[wireName(of.Field(index))]
		if raw == nil {
			continue
		}
		field := value.Field(index)
		isList := field.Kind() == reflect.Slice
		if isList && !bytes.HasPrefix(raw, []byte("[")) && string(raw) != "null" {
			raw = append(append(json.RawMessage("["), raw...), ']')
		}
		if err := json.Unmarshal(raw, field.Addr().Interface()); err != nil {
			return value, uncompilable(fmt.Sprintf("%s: %s", raw, err))
		}
	}
	return value, nil
}

// wireName returns the name of a field in a query or in JSON.
func wireName(field reflect.StructField) string {
	if field.Name == "MaxItems" {
		return "max_items"
	}
	if name := field.Tag.Get("query"); name != "" {
		return name
	}
	name, _, _ := bytes.Cut([]byte(field.Tag.Get("json")), []byte(","))
	return string(name)
}
