package beatmarket

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

func jsonOf(body any) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, &BeatMarketError{fmt.Sprintf("The body cannot be sent as JSON: %v.", err), err}
	}
	return encoded, nil
}

// readInto decodes valid JSON. encoding/json would scan an object two more times before it calls its UnmarshalJSON.
func readInto[T any](data []byte, result *T) error {
	value := reflect.ValueOf(result).Elem()
	if value.Kind() == reflect.Pointer {
		value.Set(reflect.New(value.Type().Elem()))
		if reader, is := value.Interface().(json.Unmarshaler); is {
			return reader.UnmarshalJSON(data)
		}
	}
	return json.Unmarshal(data, result)
}

func isObject(data []byte) bool { return bytes.HasPrefix(data, []byte("{")) }

// member returns the value of a name in an object; nil if it is absent, or if the JSON is not an object. The JSON is
// valid: the client checks an envelope once, and encoding/json would check it at each access.
func member(object []byte, name string) []byte {
	if !isObject(object) {
		return nil
	}
	rest := blank(object[1:])
	for rest[0] == '"' {
		length := valueLength(rest)
		isIt := string(rest[1:length-1]) == name
		rest = blank(blank(rest[length:])[1:]) // After the colon.
		length = valueLength(rest)
		if isIt {
			return rest[:length]
		}
		if rest = blank(rest[length:]); rest[0] == ',' {
			rest = blank(rest[1:])
		}
	}
	return nil
}

// blank skips white space at the start.
func blank(data []byte) []byte {
	for len(data) > 0 && isBlank(data[0]) {
		data = data[1:]
	}
	return data
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// valueLength returns the length of the value at the start of some data.
func valueLength(data []byte) int {
	switch data[0] {
	case '"':
		return textLength(data)
	case '{', '[':
		return compoundLength(data)
	}
	length := 0
	for length < len(data) && data[length] != ',' && data[length] != '}' && data[length] != ']' && !isBlank(data[length]) {
		length++
	}
	return length
}

func textLength(data []byte) int {
	for at := 1; ; at++ {
		at += bytes.IndexByte(data[at:], '"')
		before := bytes.TrimRight(data[1:at], `\`)
		if isEscaped := (at-1-len(before))%2 == 1; !isEscaped {
			return at + 1
		}
	}
}

func compoundLength(data []byte) int {
	depth := 0
	for at := 0; ; at++ {
		switch data[at] {
		case '"':
			at += textLength(data[at:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
}
