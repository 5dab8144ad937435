//go:build go1.25

package beatmarket_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"beatmarket.example/beatmarket"
)

func event(position int) string {
	return fmt.Sprintf("id: %d\ndata: {\"id\":\"evt_%d\",\"type\":\"beat.purchased\",\"data\":{}}\n\n", position, position)
}

// silent is a body that, after the bytes of its Reader, sends nothing until the request ends.
type silent struct {
	io.Reader
	ctx context.Context
}

func (s silent) Read(into []byte) (int, error) {
	if count, err := s.Reader.Read(into); err == nil {
		return count, nil
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func streaming(body io.Reader) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}
}

// streamOf reads count events of a stream whose connections have these bodies. The last connection stays silent after its body.
func streamOf(t *testing.T, count int, bodies ...string) (ids, lastIDs []string, position int, err error) {
	t.Helper()
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		lastIDs = append(lastIDs, r.Header.Get("Last-Event-Id"))
		body := bodies[min(len(lastIDs), len(bodies))-1]
		if len(lastIDs) < len(bodies) {
			return streaming(strings.NewReader(body)), nil
		}
		return streaming(silent{strings.NewReader(body), r.Context()}), nil
	})
	stream := client.Events.Stream(beatmarket.EventStreamParams{After: beatmarket.Some(6)})
	for event, err := range stream.All(t.Context()) {
		if err != nil {
			return ids, lastIDs, stream.Position, err
		}
		if ids = append(ids, event.ID); len(ids) == count {
			break
		}
	}
	return ids, lastIDs, stream.Position, nil
}

func TestAStreamReconnectsAfterItsLastEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ids, lastIDs, position, err := streamOf(t, 3, "\ufeffretry: 10\n\n"+event(7)+event(8)[:20], event(8)+event(9))
		if err != nil || !slices.Equal(ids, []string{"evt_7", "evt_8", "evt_9"}) || !slices.Equal(lastIDs, []string{"", "7"}) || position != 9 {
			t.Error(ids, lastIDs, position, err)
		}
		if waited := time.Since(start); waited != 10*time.Millisecond {
			t.Errorf("it waited %v, not what the stream says", waited)
		}
	})
}

func TestASilentStreamReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connections := 0
		client := clientOf(t, func(r *http.Request) (*http.Response, error) {
			connections++
			if connections == 1 {
				return streaming(silent{strings.NewReader(event(7)), r.Context()}), nil
			}
			return streaming(strings.NewReader(event(8))), nil
		})
		start := time.Now()
		for event, err := range client.Events.Stream(beatmarket.EventStreamParams{}).All(t.Context()) {
			if err != nil || event.ID == "evt_8" {
				if err != nil {
					t.Error(err)
				}
				break
			}
		}
		if waited := time.Since(start); waited != 48*time.Second {
			t.Errorf("it waited %v, not 45 s of silence and 3 s more", waited)
		}
	})
}

func TestAContextEndsAStream(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	ends := errors.New("the program ends")
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		return streaming(silent{strings.NewReader(event(7)), r.Context()}), nil
	})
	for _, err := range client.Events.Stream(beatmarket.EventStreamParams{}).All(ctx) {
		if err != nil {
			if !errors.Is(err, ends) {
				t.Error(err)
			}
			return
		}
		cancel(ends)
	}
	t.Error("the stream ended without an error")
}

func TestAnEventThatIsNotJSONIsAnError(t *testing.T) {
	_, _, _, err := streamOf(t, 1, "id: 7\ndata: none\n\n")
	var status *beatmarket.APIStatusError
	if !errors.As(err, &status) || !strings.Contains(err.Error(), "is not JSON") {
		t.Error(err)
	}
}

func TestASecondLoopContinuesAfterTheLastEvent(t *testing.T) {
	var lastIDs []string
	client := clientOf(t, func(r *http.Request) (*http.Response, error) {
		lastIDs = append(lastIDs, r.Header.Get("Last-Event-Id"))
		return streaming(strings.NewReader(event(6 + len(lastIDs)))), nil
	})
	stream := client.Events.Stream(beatmarket.EventStreamParams{})
	for range 2 {
		for _, err := range stream.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if !slices.Equal(lastIDs, []string{"", "7"}) || stream.Position != 8 {
		t.Error(lastIDs, stream.Position)
	}
}
