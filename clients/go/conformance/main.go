// Command conformance is the Go driver; clients/conformance/README.md describes the protocol.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"beatmarket.example/beatmarket"
)

// line is a request of the runner.
type line struct {
	ID     int
	Action string
	Client clientSettings
	Args   json.RawMessage
}

type clientSettings struct {
	BaseURL              *string  `json:"base_url"`
	APIKey               *string  `json:"api_key"`
	CAFile               *string  `json:"ca_file"`
	TimeoutSeconds       *float64 `json:"timeout_seconds"`
	MaxRetries           *int     `json:"max_retries"`
	MaxRetryAfterSeconds *float64 `json:"max_retry_after_seconds"`
	Headers              map[string]string
	UserAgentSuffix      *string `json:"user_agent_suffix"`
	AllowHTTP            bool    `json:"allow_http"`
	Hooks                string
}

// object is a value that is printed as JSON.
type object = map[string]any

// unsupported is an action or operation that the driver does not implement.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// uncompilable is an argument whose type the compiler refuses.
type uncompilable string

func (u uncompilable) Error() string { return "the compiler refuses " + string(u) }

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for {
		text, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		if err := output.Encode(replyTo(text)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func replyTo(text []byte) object {
	var asked line
	if err := json.Unmarshal(text, &asked); err != nil {
		return object{"id": 0, "unsupported": err.Error()}
	}
	action, is := actions[asked.Action]
	if !is {
		return object{"id": asked.ID, "unsupported": asked.Action}
	}
	result, err := action(context.Background(), asked)
	var unknown unsupported
	if errors.As(err, &unknown) {
		return object{"id": asked.ID, "unsupported": err.Error()}
	}
	var refused uncompilable
	if errors.As(err, &refused) {
		return object{"id": asked.ID, "result": object{"uncompilable": string(refused)}}
	}
	if err != nil {
		if result == nil {
			result = object{}
		}
		result["error"] = normalError(err)
	}
	return object{"id": asked.ID, "result": result}
}

// client creates the client of a line.
func (l line) client(more ...beatmarket.Option) (*beatmarket.Client, error) {
	s, options := l.Client, more
	for value, set := range map[*string]func(string) beatmarket.Option{
		s.BaseURL: beatmarket.WithBaseURL, s.APIKey: beatmarket.WithAPIKey, s.CAFile: beatmarket.WithCAFile,
	} {
		if value != nil {
			options = append(options, set(*value))
		}
	}
	if s.MaxRetryAfterSeconds != nil {
		options = append(options, beatmarket.WithMaxRetryAfter(seconds(*s.MaxRetryAfterSeconds)))
	}
	if s.UserAgentSuffix != nil {
		options = append(options, beatmarket.WithUserAgentSuffix(*s.UserAgentSuffix))
	}
	if s.AllowHTTP {
		options = append(options, beatmarket.WithAllowHTTP())
	}
	defaults := callOptions(s.TimeoutSeconds, s.MaxRetries)
	for name, value := range s.Headers {
		defaults = append(defaults, beatmarket.WithHeader(name, value))
	}
	return beatmarket.New(append(options, beatmarket.WithDefaults(defaults...))...)
}

func callOptions(timeoutSeconds *float64, maxRetries *int) (options []beatmarket.CallOption) {
	if timeoutSeconds != nil {
		options = append(options, beatmarket.WithTimeout(seconds(*timeoutSeconds)))
	}
	if maxRetries != nil {
		options = append(options, beatmarket.WithMaxRetries(*maxRetries))
	}
	return options
}

func seconds(count float64) time.Duration { return time.Duration(count * float64(time.Second)) }

func debugLogger(into *os.File) *slog.Logger {
	return slog.New(slog.NewTextHandler(into, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
