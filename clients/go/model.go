package beatmarket

import (
	"encoding/json"
	"reflect"
)

// Model is part of every object of the API.
type Model struct{ raw string }

// RawJSON is the original JSON of the object, including fields that are newer than this client.
func (m Model) RawJSON() json.RawMessage { return json.RawMessage(m.raw) }

// Value is a JSON value that can have several types.
type Value string

// UnmarshalJSON stores the JSON; "" for null.
func (v *Value) UnmarshalJSON(data []byte) error {
	if string(data) != "null" {
		*v = Value(data)
	}
	return nil
}

// MarshalJSON returns the original JSON.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return []byte(v), nil
}

// As decodes the value into target, like json.Unmarshal.
func (v Value) As(target any) error { return json.Unmarshal([]byte(v), target) }

// readFields decodes each documented field of an object into a type without UnmarshalJSON. A field of another type
// keeps its zero value: the API may change undocumented fields, and a successful response must not become an error.
func readFields[T any](data []byte, target *T) string {
	if json.Unmarshal(data, target) == nil {
		return string(data)
	}
	// A slice with an element of another type would be incomplete.
	*target = *new(T)
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(data, &fields) == nil {
		into := reflect.ValueOf(target).Elem()
		for index := range into.NumField() {
			raw, isThere := fields[into.Type().Field(index).Tag.Get("json")]
			field := into.Field(index)
			if isThere && field.CanSet() && json.Unmarshal(raw, field.Addr().Interface()) != nil {
				field.SetZero()
			}
		}
	}
	return string(data)
}

// Event is the content of a webhook. Data is a pointer to the model of the event's type, such as *Purchase, or a
// json.RawMessage for a type that is newer than this client.
type Event struct {
	Model

	// ID is equal for all deliveries of the event, so it identifies duplicates.
	ID string `json:"id"`

	// Created is the Unix time in seconds.
	Created int `json:"created"`

	Type EventType `json:"type"`

	Data any
}

// UnmarshalJSON decodes the event, and its data by the event type. It never fails.
func (e *Event) UnmarshalJSON(data []byte) error {
	type fields struct {
		ID      string    `json:"id"`
		Created int       `json:"created"`
		Type    EventType `json:"type"`
	}
	var known fields
	e.raw = readFields(data, &known)
	e.ID, e.Created, e.Type = known.ID, known.Created, known.Type
	var body struct{ Data json.RawMessage }
	if json.Unmarshal(data, &body) != nil {
		return nil
	}
	e.Data = newEventData(e.Type)
	if e.Data == nil || json.Unmarshal(body.Data, e.Data) != nil {
		e.Data = body.Data
	}
	return nil
}
