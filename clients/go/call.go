package beatmarket

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// operation is a request, with the place of the result in the data of its response.
type operation struct {
	id, method, path string
	// kind is "object" or "array" under the key, "data" or "pages" with lists under the keys, or "none".
	kind string
	keys []string
}

// given contains the arguments of an operation.
type given struct {
	// ids are the values of the path's parameters, in order.
	ids []any
	// required has the names and values of required query parameters.
	required []string
	params   any
	body     any
}

// call sends the request of an operation and returns its result.
func call[T any](ctx context.Context, c *Client, op operation, in given, options []CallOption) (T, error) {
	var result T
	m, settings, err := c.messageOf(op, in, options)
	if err != nil {
		return result, err
	}
	body, response, err := c.send(ctx, m, settings, nil)
	if err != nil {
		return result, err
	}
	data, err := op.read(body, response)
	if err != nil || data == nil {
		return result, err
	}
	if readInto(data, &result) != nil {
		return result, unexpected(response, "The response has an unknown form.")
	}
	return result, nil
}

// messageOf checks the arguments of an operation and creates its request.
func (c *Client) messageOf(op operation, in given, options []CallOption) (message, callSettings, error) {
	settings, err := c.settingsOf(options)
	if err != nil {
		return message{}, settings, err
	}
	m, err := c.messageWith(op, in, settings)
	return m, settings, err
}

func (c *Client) messageWith(op operation, in given, settings callSettings) (message, error) {
	path, err := op.pathOf(in.ids)
	if err != nil {
		return message{}, err
	}
	query, err := queryOf(in)
	if err != nil {
		return message{}, err
	}
	m := message{method: op.method, operation: op.id, readsJSON: op.kind != "none", more: waitIn(query)}
	if err := settings.extras.addQuery(query); err != nil {
		return m, err
	}
	m.url = c.url(path, query)
	if in.body != nil {
		m.hasBody = true
		if m.body, err = jsonOf(in.body); err != nil {
			return m, err
		}
	}
	m.body, err = settings.extras.addBody(m.body)
	return m, err
}

// url returns the URL of a percent-encoded path below the base URL.
func (c *Client) url(path string, query url.Values) *url.URL {
	address := *c.base
	address.RawPath = c.base.EscapedPath() + path
	address.Path, _ = url.PathUnescape(address.RawPath)
	address.RawQuery = query.Encode()
	return &address
}

// pathOf inserts the ids into the path.
func (op operation) pathOf(values []any) (string, error) {
	path, rest, isThere := strings.Cut(op.path, "{")
	for index := 0; isThere; index++ {
		var name string
		name, rest, _ = strings.Cut(rest, "}")
		id, err := idOf(strings.ReplaceAll(name, "_", " "), values[index])
		if err != nil {
			return "", err
		}
		var next string
		next, rest, isThere = strings.Cut(rest, "{")
		path += id + next
	}
	return path, nil
}

// idOf returns an id in the form of a path segment.
func idOf(what string, value any) (string, error) {
	text := fmt.Sprint(value)
	switch text {
	case "", "0":
		return "", errorf("The %s is missing: pass an id.", what)
	case ".", "..":
		return "", errorf("The %s is %q, which is not an id.", what, text)
	}
	return url.PathEscape(strings.ToValidUTF8(text, "�")), nil
}

// queryOf returns the query of the arguments. It omits empty texts, empty lists and absent options.
func queryOf(in given) (url.Values, error) {
	query := url.Values{}
	for at := 0; at < len(in.required); at += 2 {
		query.Set(in.required[at], in.required[at+1])
	}
	if in.params == nil {
		return query, nil
	}
	params := reflect.ValueOf(in.params)
	for index := range params.NumField() {
		name := params.Type().Field(index).Tag.Get("query")
		if name == "" {
			continue
		}
		text, isThere, err := textOf(name, params.Field(index))
		if err != nil {
			return nil, err
		}
		if isThere {
			query.Set(name, text)
		}
	}
	return query, nil
}

func textOf(name string, value reflect.Value) (string, bool, error) {
	if option, is := value.Interface().(interface{ queryValue() (string, bool) }); is {
		text, isThere := option.queryValue()
		return text, isThere, nil
	}
	if value.Kind() != reflect.Slice {
		return value.String(), value.Len() > 0, nil
	}
	texts := make([]string, value.Len())
	for index := range texts {
		texts[index] = fmt.Sprint(value.Index(index).Interface())
		if strings.Contains(texts[index], ",") {
			return "", false, errorf("A value of %s has a comma, which separates values: %q.", name, texts[index])
		}
	}
	return strings.Join(texts, ","), len(texts) > 0, nil
}

// waitIn returns the time that the service may wait for new entries before it responds.
func waitIn(query url.Values) time.Duration {
	if !query.Has("wait") {
		return 0
	}
	seconds, _ := time.ParseDuration(query.Get("wait") + "s") // An invalid number counts as 0 here; the service refuses it.
	return max(0, seconds)
}

// read finds the result in a body that contentOf has checked. If the service has already completed a write, a missing
// result becomes an empty one, because an error would hide the write.
func (op operation) read(body []byte, response *Response) (json.RawMessage, error) {
	if op.kind == "none" {
		return nil, nil
	}
	data := member(body, "data")
	if string(member(body, "status")) != `"success"` || !isObject(data) {
		return nil, unexpectedBody(response, "The response has an unknown form.", body)
	}
	for _, key := range op.keys {
		first := byte('[')
		if op.kind == "object" {
			first = '{'
		}
		value := member(data, key)
		if bytes.HasPrefix(value, []byte{first}) {
			if op.kind == "object" || op.kind == "array" {
				return value, nil
			}
			continue
		}
		if op.method != http.MethodGet {
			return json.RawMessage("{}"), nil
		}
		return nil, unexpectedBody(response, fmt.Sprintf("The response has an unknown form: it has no %s.", key), body)
	}
	return data, nil
}
