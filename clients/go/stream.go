package beatmarket

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// The service sends a byte at least every 15 seconds; its documentation names 45 seconds as the limit.
	silence    = 45 * time.Second
	usualRetry = 3 * time.Second
	// Far above the largest event.
	mostBytesOfEvent = 10_000_000
)

// EventStreamParams are the settings of a stream of events.
type EventStreamParams struct {
	// After is the position of the last event that you know. Without it, the stream begins with the oldest stored event.
	After Opt[int] `query:"after"`
	// Type has the types of events, separated by commas.
	Type string `query:"type"`
}

// EventStream yields events as they happen, over one connection at a time.
type EventStream struct {
	// Position is the position of the last event, or After before the first: store it together with the event's data, and
	// pass it as After later.
	Position int

	client  *Client
	params  EventStreamParams
	options []CallOption
	// lastID is the id of the last event, after which the next connection or a second loop continues.
	lastID string
}

// Stream yields the events after a position as they happen. WithTimeout sets the longest silence of the service; the default is
// 45 seconds.
func (s *EventsService) Stream(params EventStreamParams, options ...CallOption) *EventStream {
	position, _ := params.After.Get()
	return &EventStream{Position: position, client: s.client, params: params, options: options}
}

// All iterates over the events until the context or the loop ends. After a lost connection it reconnects, and continues after
// the last event. Another loop continues there too. The first connection has the retries and errors of any other call.
func (s *EventStream) All(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		c := &connection{stream: s, retry: usualRetry}
		for {
			o, err := c.open(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			err = c.read(o, yield)
			o.Close()
			var lost *APIConnectionError
			switch {
			case errors.Is(err, errStopped):
				return
			case err != nil && !errors.As(err, &lost):
				yield(nil, err)
				return
			}
			if err := pause(ctx, c.retry); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

var errStopped = errors.New("the loop ended")

// connection is the connection of a stream. When it ends, open replaces it, from the last event on.
type connection struct {
	stream *EventStream
	isOpen bool
	retry  time.Duration
}

// open connects. The first time it has the retries of any other call, later it retries without limit.
func (c *connection) open(ctx context.Context) (*opened, error) {
	client := c.stream.client
	settings := client.defaults
	settings.timeout = silence
	for _, option := range c.stream.options {
		option(&settings)
	}
	if err := settings.check(); err != nil {
		return nil, err
	}
	m, err := client.messageWith(opListEvents, given{params: c.stream.params}, settings)
	if err != nil {
		return nil, err
	}
	if c.isOpen {
		settings.maxRetries, settings.maxRetryAfter = math.MaxInt, math.MaxInt64
	}
	m.header = http.Header{"Authorization": {client.authorization()}, "Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}}
	if c.stream.lastID != "" {
		m.header.Set("Last-Event-Id", c.stream.lastID)
	}
	tries := client.attempts("GET "+m.url.String(), settings)
	for {
		m.number = tries.number()
		o, err := client.open(ctx, m, settings)
		if err == nil {
			if kind, _, _ := mime.ParseMediaType(o.Header.Get("Content-Type")); kind == "text/event-stream" {
				c.isOpen = true
				return o, nil
			}
			o.Close()
			err = unexpected(o.Response, "The response is not an event stream.")
		}
		if err := tries.after(ctx, err); err != nil {
			return nil, err
		}
	}
}

// read yields the events of a response until it ends. It drops an incomplete event.
func (c *connection) read(o *opened, yield func(*Event, error) bool) error {
	lines := bufio.NewScanner(o)
	lines.Buffer(nil, mostBytesOfEvent)
	lines.Split(splitLines)
	var data []string
	id, hasID := "", false
	for isFirst := true; lines.Scan(); isFirst = false {
		line := lines.Text()
		if isFirst {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line != "" {
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case name == "data":
				data = append(data, value)
			case name == "id" && !strings.Contains(value, "\x00"):
				id, hasID = value, true
			case name == "retry":
				if wait, err := strconv.ParseUint(value, 10, 30); err == nil {
					c.retry = time.Duration(wait) * time.Millisecond
				}
			}
			continue
		}
		if hasID {
			c.stream.lastID = id
		}
		if body := strings.Join(data, "\n"); body != "" {
			if err := c.give(o, body, yield); err != nil {
				return err
			}
		}
		data, id, hasID = nil, "", false
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return unexpected(o.Response, fmt.Sprintf("An event of the stream has more than %d bytes.", mostBytesOfEvent))
	}
	return lines.Err()
}

func (c *connection) give(o *opened, body string, yield func(*Event, error) bool) error {
	event := new(Event)
	if !json.Valid([]byte(body)) || json.Unmarshal([]byte(body), event) != nil {
		return unexpected(o.Response, "An event of the stream is not JSON.")
	}
	if position, err := strconv.Atoi(c.stream.lastID); err == nil {
		c.stream.Position = position
	}
	if !yield(event, nil) {
		return errStopped
	}
	return nil
}

// splitLines splits at CR, LF or both. It drops a last line without an end.
func splitLines(data []byte, isEnd bool) (int, []byte, error) {
	at := bytes.IndexAny(data, "\r\n")
	switch {
	case at < 0 && isEnd:
		return len(data), nil, nil
	case at < 0:
		return 0, nil, nil
	case data[at] == '\r' && at+1 == len(data) && !isEnd:
		return 0, nil, nil // LF may follow.
	case data[at] == '\r' && at+1 < len(data) && data[at+1] == '\n':
		return at + 2, data[:at], nil
	}
	return at + 1, data[:at], nil
}
