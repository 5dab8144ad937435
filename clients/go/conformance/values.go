package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"beatmarket.example/beatmarket"
)

type raw interface{ RawJSON() json.RawMessage }

func metaOf(response *beatmarket.Response) any {
	if response == nil {
		return nil
	}
	return object{
		"status": response.Status, "request_id": orNull(response.RequestID), "etag": orNull(response.ETag), "rate_limit": response.RateLimit,
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// valueOf returns a result in wire names.
func valueOf(operation string, result any) any {
	value := reflect.Indirect(reflect.ValueOf(result))
	if value.Kind() == reflect.Slice {
		return rawItems(value)
	}
	if data := value.FieldByName("Data"); value.Kind() == reflect.Struct && data.IsValid() && data.Kind() == reflect.Slice {
		return pageOf(operation, value, data)
	}
	if known, is := result.(raw); is {
		return known.RawJSON()
	}
	return nil
}

func pageOf(operation string, page, data reflect.Value) any {
	var fields object
	_ = json.Unmarshal(page.FieldByName("Extra").Interface().(raw).RawJSON(), &fields) // It is valid JSON.
	if operation == "search" {
		extra := page.FieldByName("Extra").Interface().(beatmarket.SearchExtra)
		fields["beats"], fields["producers"] = rawItems(reflect.ValueOf(extra.Beats)), rawItems(reflect.ValueOf(extra.Producers))
		return fields
	}
	value := object{"items": rawItems(data), "pagination": fields["pagination"]}
	for _, name := range []string{"facets", "missing", "storage"} {
		if extra, is := fields[name]; is {
			value[name] = extra
		}
	}
	return value
}

func rawItems(list reflect.Value) []any {
	items := make([]any, list.Len())
	for index := range items {
		items[index] = rawOf(list.Index(index).Interface())
	}
	return items
}

func rawOf(item any) any {
	if found, is := item.(beatmarket.SearchItem); is {
		if found.Beat != nil {
			return found.Beat.RawJSON()
		}
		return found.Producer.RawJSON()
	}
	return item.(raw).RawJSON()
}

// idOf returns the id of an item, or the item itself if it is not an object.
func idOf(item any) any {
	var value any
	_ = json.Unmarshal(rawOf(item).(json.RawMessage), &value) // It is valid JSON.
	if fields, is := value.(object); is {
		return fields["id"]
	}
	return value
}

func idsOf(result any) []any {
	list := reflect.Indirect(reflect.ValueOf(result))
	if list.Kind() == reflect.Struct {
		list = list.FieldByName("Data")
	}
	ids := make([]any, list.Len())
	for index := range ids {
		ids[index] = idOf(list.Index(index).Interface())
	}
	return ids
}

// typedAt reads a dotted path through typed fields. It reads values that a typed field cannot have (null, another type)
// from RawJSON, like a Go developer.
func typedAt(result any, path string) any {
	value := reflect.ValueOf(result)
	for name := range strings.SplitSeq(path, ".") {
		value = memberOf(value, name)
		if !value.IsValid() {
			return nil
		}
	}
	return plain(value)
}

// plain returns a value as in JSON; for a model, its original JSON.
func plain(value reflect.Value) any {
	if value.Kind() == reflect.Pointer && value.IsNil() {
		return nil
	}
	if known, is := value.Interface().(raw); is {
		return known.RawJSON()
	}
	return value.Interface()
}

func memberOf(value reflect.Value, name string) reflect.Value {
	value = untyped(value)
	switch value.Kind() {
	case reflect.Slice:
		if at, err := strconv.Atoi(name); err == nil && at < value.Len() {
			return value.Index(at)
		}
	case reflect.Map:
		if member := value.MapIndex(reflect.ValueOf(name)); member.IsValid() {
			return member.Elem()
		}
	case reflect.Struct:
		return fieldOf(value, name)
	}
	return reflect.Value{}
}

// untyped follows pointers and interfaces, and reads values that can have several types.
func untyped(value reflect.Value) reflect.Value {
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if value.IsValid() {
		if known, is := value.Interface().(interface{ As(any) error }); is {
			var any any
			_ = known.As(&any) // It is valid JSON.
			return reflect.ValueOf(any)
		}
	}
	return value
}

func fieldOf(value reflect.Value, name string) reflect.Value {
	of := value.Type()
	for index := range of.NumField() {
		if wireName(of.Field(index)) == name {
			return asItCame(value, value.Field(index), name)
		}
	}
	for wire, field := range map[string]string{"items": "Data", "pagination": "Pagination", "data": "Data"} {
		if member := value.FieldByName(field); wire == name && member.IsValid() {
			return asItCame(value, member, name)
		}
	}
	if extra := value.FieldByName("Extra"); extra.IsValid() {
		return fieldOf(extra, name)
	}
	return reflect.Value{}
}

// asItCame returns the field. If the field is empty because its type cannot have the value, asItCame returns the value
// of the original JSON.
func asItCame(owner, field reflect.Value, name string) reflect.Value {
	known, is := owner.Interface().(raw)
	if !is || !field.IsZero() {
		return field
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(known.RawJSON(), &fields) // Any other value than an object has no fields.
	came := fields[name]
	if came != nil && string(came) != "null" && json.Unmarshal(came, reflect.New(field.Type()).Interface()) == nil {
		return field
	}
	var other any
	_ = json.Unmarshal(came, &other) // The field is absent, or its JSON was read once.
	return reflect.ValueOf(other)
}

// normalError returns an error in the form that README.md describes.
func normalError(err error) object {
	var own *beatmarket.BeatMarketError
	if !errors.As(err, &own) {
		return object{"class": nil, "text": fmt.Sprintf("%T: %v", err, err)}
	}
	is := []string{}
	for each := err; each != nil; each = errors.Unwrap(each) {
		name, isOwn := strings.CutPrefix(fmt.Sprintf("%T", each), "*beatmarket.")
		if !isOwn {
			break
		}
		is = append(is, name)
	}
	normal := object{"class": is[0], "is": is, "message": own.Message, "text": err.Error()}
	for _, name := range []string{"cause", "status", "code", "details", "request_id", "retry_after", "rate_limit", "idempotency_key", "content_type", "excerpt"} {
		normal[name] = nil
	}
	if own.Cause != nil {
		normal["cause"] = own.Cause.Error()
	}
	var status *beatmarket.APIStatusError
	var connection *beatmarket.APIConnectionError
	var rejected *beatmarket.UploadRejectedError
	if errors.As(err, &connection) {
		normal["idempotency_key"] = orNull(connection.IdempotencyKey)
	}
	if errors.As(err, &rejected) {
		normal["upload"] = rejected.Upload.RawJSON()
	}
	if errors.As(err, &status) {
		describeStatus(normal, status)
	}
	return normal
}

func describeStatus(normal object, status *beatmarket.APIStatusError) {
	normal["status"], normal["code"], normal["message"] = status.Status, orNull(status.Code), status.Reason
	normal["details"], normal["request_id"] = orNull(status.Details), orNull(status.Response.RequestID)
	normal["idempotency_key"] = orNull(status.IdempotencyKey)
	normal["content_type"], normal["excerpt"] = orNull(status.ContentType), status.Excerpt
	if limit := status.Response.RateLimit; limit != nil {
		normal["rate_limit"] = limit
	}
	if after := status.Response.RetryAfter; after != nil {
		normal["retry_after"] = after.Seconds()
	}
}
