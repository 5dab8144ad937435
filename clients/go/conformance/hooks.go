package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"beatmarket.example/beatmarket"
)

// recorder records the arguments of hooks, or fails if the line of the runner asks for it.
type recorder struct {
	mode string
	seen []object
}

var errHook = errors.New("the hook fails")

func (r *recorder) options() []beatmarket.Option {
	return []beatmarket.Option{
		beatmarket.WithOnRequest(func(_ context.Context, facts beatmarket.RequestFacts) error {
			if r.mode == "request fails" {
				return errHook
			}
			r.seen = append(r.seen, factsOf("request", facts))
			return nil
		}),
		beatmarket.WithOnResponse(func(_ context.Context, facts beatmarket.ResponseFacts) error {
			if r.mode == "response fails" {
				return errHook
			}
			seen := factsOf("response", facts.RequestFacts)
			seen["status"], seen["request_id"], seen["error"] = nil, orNull(facts.RequestID), nil
			seen["duration_ms"] = facts.Duration.Seconds() * 1_000
			if facts.Status != 0 {
				seen["status"] = facts.Status
			}
			if facts.Err != nil {
				seen["error"] = strings.TrimPrefix(fmt.Sprintf("%T", facts.Err), "*beatmarket.")
			}
			r.seen = append(r.seen, seen)
			return nil
		}),
	}
}

func factsOf(hook string, facts beatmarket.RequestFacts) object {
	return object{
		"hook": hook, "method": facts.Method, "path": facts.Path, "operation": orNull(facts.Operation), "attempt": facts.Attempt,
		"request_headers": lowered(facts.Header),
	}
}

func lowered(header http.Header) object {
	names := object{}
	for name, values := range header {
		names[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return names
}

func streamEvents(ctx context.Context, client *beatmarket.Client, its args) (object, error) {
	params, err := structOf(reflect.TypeFor[beatmarket.EventStreamParams](), its.Arguments)
	if err != nil {
		return nil, err
	}
	ids, failures := []string{}, []any{}
	stream := client.Events.Stream(params.Interface().(beatmarket.EventStreamParams))
	for event, err := range stream.All(ctx) {
		if err != nil {
			failures = append(failures, normalError(err))
			break
		}
		if ids = append(ids, event.ID); len(ids) == its.Events {
			break
		}
	}
	return object{"ids": ids, "position": stream.Position, "errors": failures}, nil
}
