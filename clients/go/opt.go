package beatmarket

import (
	"encoding/json"
	"fmt"
	"time"
)

// Opt is an optional value of a request. The zero value is absent, Some sets a value, and Null clears a field.
type Opt[T any] struct {
	value T
	state uint8
}

const (
	absent uint8 = iota
	null
	present
)

// Some sends a value.
func Some[T any](value T) Opt[T] { return Opt[T]{value, present} }

// Null is sent as null in a body. A query omits it.
func Null[T any]() Opt[T] { return Opt[T]{state: null} }

// Get returns the value, and whether it is present.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == present }

// IsZero says whether the value is absent, for encoding/json's omitzero.
func (o Opt[T]) IsZero() bool { return o.state == absent }

// MarshalJSON writes the value or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads a value or null.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*o = Null[T]()
		return nil
	}
	o.state = present
	return json.Unmarshal(data, &o.value)
}

// queryValue returns the value in the form of a query.
func (o Opt[T]) queryValue() (string, bool) { return fmt.Sprint(o.value), o.state == present }

// Time is a time in ISO 8601, like in the API.
type Time string

// At converts a time to UTC and whole milliseconds.
func At(t time.Time) Time { return Time(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

// Time parses the time. A date without a time means the first moment of the day in UTC.
func (t Time) Time() (time.Time, error) {
	if len(t) == len(time.DateOnly) {
		return time.Parse(time.DateOnly, string(t))
	}
	return time.Parse(time.RFC3339, string(t))
}
