package beatmarket

import (
	"encoding/json"
	"reflect"
)

// Model is part of every object of the API.
type Model struct{ raw string }

// RawJSON is the object as it came, with the fields that are newer than this client.
func (m Model) RawJSON() json.RawMessage { return json.RawMessage(m.raw) }

// Value is a JSON value that can be of several types.
type Value string

// UnmarshalJSON keeps the JSON; "" for null.
func (v *Value) UnmarshalJSON(data []byte) error {
	if string(data) != "null" {
		*v = Value(data)
	}
	return nil
}

// MarshalJSON returns the JSON as it came.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return []byte(v), nil
}

// As reads the value into target, as json.Unmarshal does.
func (v Value) As(target any) error { return json.Unmarshal([]byte(v), target) }

// readFields reads each documented field of an object into a type without UnmarshalJSON. A field of another type keeps its zero
// value: the API may change what is not documented, and a successful response must not become an error.
func readFields[T any](data []byte, target *T) string {
	if json.Unmarshal(data, target) == nil {
		return string(data)
	}
	// A slice with an element of another type would be partly there.
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

// Event is what a webhook delivers. Data is a pointer to the model of the event's type, such as *Purchase, and a
// json.RawMessage for a type that is newer than this client.
type Event struct {
	Model

	// ID is the same for every delivery of the event: duplicates have the same.
	ID string `json:"id"`

	// Created is the Unix time in seconds.
	Created int `json:"created"`

	Type EventType `json:"type"`

	Data any
}

// UnmarshalJSON reads the event and its data by its type. It never fails.
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
