package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"sync"
	"time"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/webhooks"
)

// args has the arguments of all actions.
type args struct {
	Operation string
	Arguments arguments
	Read      []string
	Options   struct {
		TimeoutSeconds *float64 `json:"timeout_seconds"`
		MaxRetries     *int     `json:"max_retries"`
		Headers        map[string]string
		Query, Body    map[string]any
	}
	Method, Path     string
	Query            map[string]any
	Body             json.RawMessage
	Headers          map[string]any
	MaxItems         json.RawMessage `json:"max_items"`
	Resume           bool
	Pages, Events    int
	Calls            json.RawMessage
	Secret           string
	BodyBase64       string `json:"body_base64"`
	Secrets          json.RawMessage
	Header           *string
	ToleranceSeconds json.RawMessage `json:"tolerance_seconds"`
	Kind             string
	UploadID         *string  `json:"upload_id"`
	PartBytes        int64    `json:"part_bytes"`
	TimeoutSeconds   *float64 `json:"timeout_seconds"`
	OrderID          int      `json:"order_id"`
	Folder           string
	Models           []string
}

type action func(ctx context.Context, asked line) (object, error)

var actions map[string]action

func init() {
	actions = map[string]action{
		"call": withClient(call), "request": withClient(request), "iterate": withClient(iterate), "pages": withClient(pages),
		"follow": withClient(follow), "stream_export": withClient(streamExport), "stream_events": withClient(streamEvents), "parallel": withClient(parallel),
		"upload": withClient(upload), "wait": withClient(wait), "download": withClient(download), "download_all": withClient(downloadAll),
		"secrets": secrets, "verify": verify, "unwrap": unwrap, "describe": describe,
	}
}

func withClient(do func(context.Context, *beatmarket.Client, args) (object, error)) action {
	return func(ctx context.Context, asked line) (object, error) {
		details, err := argsOf(asked)
		if err != nil {
			return nil, err
		}
		var hooks []beatmarket.Option
		noted := &recorder{mode: asked.Client.Hooks, seen: []object{}}
		if noted.mode != "" {
			hooks = noted.options()
		}
		client, err := asked.client(hooks...)
		if err != nil {
			return emptyOf(asked.Action), err
		}
		result, err := do(ctx, client, details)
		if result == nil {
			result = emptyOf(asked.Action)
		}
		if noted.mode != "" {
			result["hooks"] = noted.seen
		}
		return result, err
	}
}

// emptyOf has the additional results of some actions after an error.
func emptyOf(name string) object {
	switch name {
	case "upload", "download", "download_all":
		return object{"progress": []any{}}
	}
	return object{}
}

func argsOf(asked line) (details args, err error) {
	if len(asked.Args) > 0 {
		err = json.Unmarshal(asked.Args, &details)
	}
	return details, err
}

func call(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	var response *beatmarket.Response
	options := append(callOptions(details.Options.TimeoutSeconds, details.Options.MaxRetries), beatmarket.WithResponse(&response))
	for name, value := range details.Options.Headers {
		options = append(options, beatmarket.WithHeader(name, value))
	}
	for name, value := range details.Options.Query {
		options = append(options, beatmarket.WithQueryValue(name, fmt.Sprint(value)))
	}
	for name, value := range details.Options.Body {
		options = append(options, beatmarket.WithBodyField(name, value))
	}
	results, err := invoke(ctx, client, details.Operation, "", details.Arguments, options...)
	if err != nil {
		return nil, err
	}
	if err := errorIn(results); err != nil {
		return nil, err
	}
	if len(results) == 1 {
		return object{"value": nil, "meta": nil}, nil
	}
	result := results[0].Interface()
	if own, is := result.(*beatmarket.Response); is {
		var path string
		_ = json.Unmarshal(details.Arguments["path"], &path) // The method has accepted it.
		return object{"value": object{"path": path}, "meta": metaOf(own)}, nil
	}
	made := object{"value": valueOf(details.Operation, result), "meta": metaOf(response)}
	if details.Read != nil {
		read := object{}
		for _, path := range details.Read {
			read[path] = typedAt(result, path)
		}
		made["read"] = read
	}
	return made, nil
}

func errorIn(results []reflect.Value) error {
	err, _ := results[len(results)-1].Interface().(error)
	return err
}

func request(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	given := beatmarket.Request{Query: url.Values{}, Header: http.Header{}}
	for name, value := range details.Query {
		if value != nil {
			given.Query.Set(name, fmt.Sprint(value))
		}
	}
	for name, value := range details.Headers {
		given.Header[name] = []string{fmt.Sprint(value)}
	}
	if details.Body != nil && string(details.Body) != "null" {
		given.Body = details.Body
	}
	response, err := client.Request(ctx, details.Method, details.Path, given)
	if err != nil {
		return nil, err
	}
	return object{"value": response.Body, "meta": metaOf(response.Response)}, nil
}

func iterate(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	items, failures := []any{}, []any{}
	result := func() object { return object{"items": items, "errors": failures} }
	if details.MaxItems != nil {
		if details.Arguments == nil {
			details.Arguments = arguments{}
		}
		details.Arguments["max_items"] = details.MaxItems
	}
	made, err := invoke(ctx, client, details.Operation, "All", details.Arguments)
	if err != nil {
		return result(), err
	}
	for item, failure := range made[0].Seq2() {
		if err, is := failure.Interface().(error); is {
			failures = append(failures, normalError(err))
			if !details.Resume || len(failures) == 3 {
				break
			}
			continue
		}
		items = append(items, idOf(item.Interface()))
	}
	return result(), nil
}

func pages(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	ids := [][]any{}
	results, err := invoke(ctx, client, details.Operation, "", details.Arguments)
	for ; err == nil; results = results[0].MethodByName("Next").Call([]reflect.Value{reflect.ValueOf(ctx)}) {
		if err = errorIn(results); err != nil {
			break
		}
		if results[0].IsNil() {
			return object{"pages": ids, "has_next": false}, nil
		}
		ids = append(ids, idsOf(results[0].Interface()))
		if len(ids) == details.Pages {
			break
		}
	}
	return object{"pages": ids, "has_next": true}, err
}

func follow(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	pages, failures := []any{}, []any{}
	note := func(page any, err error) bool {
		if err != nil {
			failures = append(failures, normalError(err))
			return false
		}
		pages = append(pages, page)
		return len(pages) < details.Pages
	}
	function := reflect.ValueOf(client.Changes.Follow)
	if details.Operation == "listEvents" {
		function = reflect.ValueOf(client.Events.Follow)
	}
	params, err := structOf(function.Type().In(1), details.Arguments)
	if err != nil {
		return nil, err
	}
	if changes, is := params.Interface().(beatmarket.ListChangesParams); is {
		for page, err := range client.Changes.Follow(ctx, changes) {
			positions := []int{}
			for at := 0; err == nil && at < len(page.Changes); at++ {
				positions = append(positions, page.Changes[at].Position)
			}
			if err != nil {
				note(nil, err)
				break
			}
			if !note(object{"positions": positions, "next": page.Next}, nil) {
				break
			}
		}
	} else if events, is := params.Interface().(beatmarket.ListEventsParams); is {
		for page, err := range client.Events.Follow(ctx, events) {
			ids := []string{}
			for at := 0; err == nil && at < len(page.Events); at++ {
				ids = append(ids, page.Events[at].ID)
			}
			if err != nil {
				note(nil, err)
				break
			}
			if !note(object{"ids": ids, "next": page.Next}, nil) {
				break
			}
		}
	}
	return object{"pages": pages, "errors": failures}, nil
}

func streamExport(ctx context.Context, client *beatmarket.Client, _ args) (object, error) {
	ids := []int{}
	stream := client.Exports.Stream()
	for beat, err := range stream.All(ctx) {
		if err != nil {
			return object{"ids": ids, "position": stream.Position}, err
		}
		ids = append(ids, beat.ID)
	}
	return object{"ids": ids, "position": stream.Position}, nil
}

func parallel(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	var calls [][]arguments
	if err := json.Unmarshal(details.Calls, &calls); err != nil {
		return nil, err
	}
	once := func(given arguments) any {
		results, err := invoke(ctx, client, details.Operation, "", given)
		if err == nil {
			err = errorIn(results)
		}
		if err != nil {
			return object{"error": normalError(err)}
		}
		result := results[0].Interface()
		if reflect.Indirect(results[0]).FieldByName("Data").IsValid() {
			return idsOf(result)
		}
		return idOf(result)
	}
	once(calls[0][0])
	values := make([][]any, len(calls))
	var workers sync.WaitGroup
	for index, each := range calls {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for _, given := range each {
				values[index] = append(values[index], once(given))
			}
		}()
	}
	workers.Wait()
	return object{"values": values}, nil
}

func upload(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	progress := []any{}
	params := beatmarket.UploadParams{PartBytes: details.PartBytes, OnProgress: func(p beatmarket.UploadProgress) { progress = append(progress, p) }}
	var made *beatmarket.Upload
	var err error
	if details.UploadID != nil {
		made, err = client.Uploads.ResumeFile(ctx, *details.UploadID, details.Path, params)
	} else {
		made, err = client.Uploads.UploadFile(ctx, details.Path, beatmarket.UploadKind(details.Kind), params)
	}
	if err != nil {
		return object{"progress": progress}, err
	}
	return object{"value": made.RawJSON(), "progress": progress}, nil
}

func wait(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	var limit time.Duration
	if details.TimeoutSeconds != nil {
		limit = seconds(*details.TimeoutSeconds)
	}
	made, err := client.Uploads.Wait(ctx, *details.UploadID, limit)
	if err != nil {
		return nil, err
	}
	return object{"value": made.RawJSON()}, nil
}

func download(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	progress := []any{}
	params := beatmarket.DownloadParams{OnProgress: func(p beatmarket.DownloadProgress) { progress = append(progress, p) }}
	file, err := client.Orders.Download(ctx, details.OrderID, beatmarket.FileKind(details.Kind), details.Path, params)
	if err != nil {
		return object{"progress": progress}, err
	}
	return object{"value": file, "progress": progress}, nil
}

func downloadAll(ctx context.Context, client *beatmarket.Client, details args) (object, error) {
	progress := []any{}
	params := beatmarket.DownloadParams{OnProgress: func(p beatmarket.DownloadProgress) { progress = append(progress, p) }}
	files, err := client.Orders.DownloadAll(ctx, details.OrderID, details.Folder, params)
	if err != nil {
		return object{"progress": progress}, err
	}
	return object{"value": files, "progress": progress}, nil
}

// secrets records every output that could contain a key.
func secrets(ctx context.Context, asked line) (object, error) {
	details, err := argsOf(asked)
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp("", "beatmarket-log-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	client, err := asked.client(beatmarket.WithLogger(debugLogger(log)))
	if err != nil {
		return nil, err
	}
	shown, texts := []string{}, []string{}
	inspect := func(part any) {
		encoded, _ := json.Marshal(part) // A value that cannot be encoded cannot show a secret.
		shown = append(shown, fmt.Sprintf("%v %+v %#v", part, part, part), string(encoded))
	}
	inspect(client)
	inspect(*client.Beats)
	inspect(client.Orders)
	var calls []args
	if err := json.Unmarshal(details.Calls, &calls); err != nil {
		return nil, err
	}
	fail := func(err error) {
		inspect(err)
		for ; err != nil; err = errors.Unwrap(err) {
			texts = append(texts, fmt.Sprintf("%v %+v %#v", err, err, err))
		}
	}
	for _, each := range calls {
		results, err := invoke(ctx, client, each.Operation, "", each.Arguments)
		if err != nil {
			return nil, err
		}
		inspect(results[0].Interface())
		fail(errorIn(results))
	}
	fail(webhooks.Verify([]byte("{}"), "0", details.Secret))
	content, err := os.ReadFile(log.Name())
	return object{"log": string(content), "inspected": shown, "errors": texts}, err
}

func secretsOf(raw json.RawMessage) (list []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	_ = json.Unmarshal(raw, &list) // Any other JSON is not a list of secrets.
	return list
}

func verify(_ context.Context, asked line) (object, error) {
	details, err := argsOf(asked)
	if err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(details.BodyBase64)
	if err != nil {
		return nil, err
	}
	header := ""
	if details.Header != nil {
		header = *details.Header
	}
	err = webhooks.Verify(body, header, secretsOf(details.Secrets)...)
	var invalid *beatmarket.SignatureVerificationError
	switch {
	case err == nil:
		return object{"verdict": "valid"}, nil
	case errors.As(err, &invalid):
		return object{"verdict": "invalid"}, nil
	}
	return object{"verdict": "config_error"}, nil
}

func unwrap(_ context.Context, asked line) (object, error) {
	details, err := argsOf(asked)
	if err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(details.BodyBase64)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	for name, value := range details.Headers {
		header.Set(name, fmt.Sprint(value))
	}
	event, err := webhooks.Unwrap(body, header, secretsOf(details.Secrets), toleranceOf(asked.Args, details))
	if err != nil {
		return nil, err
	}
	return object{"value": event.RawJSON()}, nil
}

func toleranceOf(raw json.RawMessage, details args) time.Duration {
	var count float64
	switch {
	case !bytes.Contains(raw, []byte(`"tolerance_seconds"`)):
		return webhooks.DefaultTolerance
	case details.ToleranceSeconds == nil || string(details.ToleranceSeconds) == "null":
		return webhooks.AnyAge
	case json.Unmarshal(details.ToleranceSeconds, &count) != nil:
		return 0 // The compiler would refuse the value; Unwrap refuses 0.
	}
	return seconds(count)
}
