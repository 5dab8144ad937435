package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"beatmarket.example/beatmarket"
)

// modelsOf adds the models that a value of this type contains, by name.
func modelsOf(of reflect.Type, into map[string]reflect.Type) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		modelsOf(of.Elem(), into)
	case reflect.Struct:
		if _, is := into[of.Name()]; is {
			return
		}
		into[of.Name()] = of
		for index := range of.NumField() {
			modelsOf(of.Field(index).Type, into)
		}
	}
}

// returned has the models that methods return and events deliver.
func returned() map[string]reflect.Type {
	models := map[string]reflect.Type{}
	for _, service := range reflect.VisibleFields(reflect.TypeFor[beatmarket.Client]()) {
		for at := range service.Type.NumMethod() {
			for out := range service.Type.Method(at).Type.NumOut() {
				modelsOf(service.Type.Method(at).Type.Out(out), models)
			}
		}
	}
	for _, data := range eventData() {
		modelsOf(reflect.TypeOf(data), models)
	}
	return models
}

// describe describes the client: its types by reflection, and its operations by the requests that it sends.
func describe(ctx context.Context, asked line) (object, error) {
	given, err := argsOf(asked)
	if err != nil {
		return nil, err
	}
	models, types := object{}, returned()
	for _, name := range given.Models {
		if model, is := types[name]; is {
			models[name] = leavesOf(model)
		}
	}
	operations, failures := object{}, object{}
	for name := range methods {
		sent, err := sentBy(ctx, name)
		if err != nil {
			return nil, err
		}
		operations[name] = sent
	}
	for code := range map[string]int{"invalid_request": 0, "unauthorized": 0, "forbidden": 0, "not_found": 0, "rate_limit_exceeded": 0, "server_error": 0} {
		failures[code] = errorOf(ctx, code)
	}
	return object{
		"language": "go", "version": beatmarket.Version, "operations": operations, "models": models, "events": events(), "errors": failures,
		"every_call": []string{"idempotency_key", "if_match"}, // WithIdempotencyKey, WithIfMatch
	}, nil
}

func leavesOf(of reflect.Type) []string {
	leaves := []string{}
	for index := range of.NumField() {
		name, kind := wireName(of.Field(index)), of.Field(index).Type
		for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		switch {
		case name == "":
		case kind.Kind() == reflect.Struct:
			for _, leaf := range leavesOf(kind) {
				leaves = append(leaves, name+"."+leaf)
			}
		default:
			leaves = append(leaves, name)
		}
	}
	return leaves
}

// roundTrip responds instead of a service.
type roundTrip func(*http.Request) *http.Response

func (r roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return r(request), nil }

func reply(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func clientOf(r roundTrip) (*beatmarket.Client, error) {
	return beatmarket.New(beatmarket.WithAPIKey("none"), beatmarket.WithBaseURL("https://localhost/v1"), beatmarket.WithHTTPClient(&http.Client{Transport: r}))
}

// sentBy calls the method of an operation with ids that are recognizable in its path.
func sentBy(ctx context.Context, operation string) (object, error) {
	method := methods[operation]
	var sent *http.Request
	client, err := clientOf(func(request *http.Request) *http.Response {
		sent = request
		return reply(404, "")
	})
	if err != nil {
		return nil, err
	}
	given, path := arguments{}, ""
	for index, name := range method.arguments {
		given[name] = json.RawMessage(strconv.Itoa(7001 + index))
		function, _, err := functionOf(client, operation, "")
		if err != nil {
			return nil, err
		}
		if function.Type().In(index+1).Kind() == reflect.String {
			given[name] = json.RawMessage(strconv.Quote(strconv.Itoa(7001 + index)))
		}
	}
	results, err := invoke(ctx, client, operation, "", given)
	if err != nil || sent == nil {
		return nil, unsupported(operation + " sends nothing: " + errorText(err, results))
	}
	path = strings.TrimPrefix(sent.URL.Path, "/v1")
	for index, name := range method.arguments {
		path = strings.Replace(path, strconv.Itoa(7001+index), "{"+name+"}", 1)
	}
	parameters, body := append([]string{}, method.arguments...), []string{}
	function, _, _ := functionOf(client, operation, "")
	for index := len(method.arguments) + 1; index < function.Type().NumIn()-1; index++ {
		of := function.Type().In(index)
		for at := range of.NumField() {
			switch field := of.Field(at); {
			case field.Name == "MaxItems":
			case field.Tag.Get("query") != "":
				parameters = append(parameters, wireName(field))
			default:
				body = append(body, wireName(field))
			}
		}
	}
	return object{"method": sent.Method, "path": path, "parameters": parameters, "body": body}, nil
}

func errorText(err error, results []reflect.Value) string {
	if err == nil {
		err = errorIn(results)
	}
	return err.Error()
}

// events has the models of event data, by event type.
func events() object {
	models := object{}
	for eventType, data := range eventData() {
		models[eventType] = reflect.TypeOf(data).Elem().Name()
	}
	return models
}

func eventData() object {
	data := object{}
	for _, eventType := range beatmarket.EventTypes() {
		var event beatmarket.Event
		body, _ := json.Marshal(object{"type": eventType, "data": object{}}) // These values can always be encoded.
		_ = json.NewDecoder(bytes.NewReader(body)).Decode(&event)            // An event can always be decoded.
		data[string(eventType)] = event.Data
	}
	return data
}

func errorOf(ctx context.Context, code string) string {
	client, err := clientOf(func(*http.Request) *http.Response {
		return reply(499, `{"status":"error","error":{"code":"`+code+`","message":"m"}}`)
	})
	if err == nil {
		_, err = client.Genres.List(ctx)
	}
	class, _ := normalError(err)["class"].(string)
	return class
}
