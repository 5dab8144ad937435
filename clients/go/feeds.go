package beatmarket

import (
	"context"
	"iter"
	"math"
	"strconv"
)

// Follow yields the pages of changes after a position, without end. Store Next together with the content of a page. A page
// without changes means that there was no change for Wait seconds (30). After the first page, Follow retries temporary
// failures without limit. It ends with a GoneError if the entries after the position are no longer stored: then load an
// export.
func (s *ChangesService) Follow(ctx context.Context, params ListChangesParams, options ...CallOption) iter.Seq2[*ChangePage, error] {
	params.Limit, params.Wait = or(params.Limit, 1000), or(params.Wait, 30)
	return follow(ctx, s.client, opListChanges, options, func(after *int) any {
		if after != nil {
			params.After = Some(*after)
		}
		return params
	}, func(page *ChangePage) Model { return page.Model })
}

// Follow yields the pages of events after a position, without end, like Changes.Follow. After a GoneError, begin again
// without a position.
func (s *EventsService) Follow(ctx context.Context, params ListEventsParams, options ...CallOption) iter.Seq2[*EventPage, error] {
	params.Limit, params.Wait = or(params.Limit, 1000), or(params.Wait, 30)
	return follow(ctx, s.client, opListEvents, options, func(after *int) any {
		if after != nil {
			params.After = Some(*after)
		}
		return params
	}, func(page *EventPage) Model { return page.Model })
}

func or(given Opt[int], usual int) Opt[int] {
	if given.IsZero() {
		return Some(usual)
	}
	return given
}

// follow requests pages without end. The first request fails like any other call, so that a wrong address is noticed.
// It repeats later requests with the same position until they succeed or fail permanently.
func follow[P any](ctx context.Context, c *Client, op operation, options []CallOption, params func(after *int) any, model func(*P) Model) iter.Seq2[*P, error] {
	return func(yield func(*P, error) bool) {
		settings, err := c.settingsOf(options)
		if err != nil {
			yield(nil, err)
			return
		}
		var after *int
		for ; ; settings.maxRetries = math.MaxInt {
			settings.maxRetryAfter = math.MaxInt64
			page, next, err := followed[P](ctx, c, op, settings, params(after), model)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			after = &next
		}
	}
}

func followed[P any](ctx context.Context, c *Client, op operation, settings callSettings, params any, model func(*P) Model) (*P, int, error) {
	m, err := c.messageWith(op, given{params: params}, settings)
	if err != nil {
		return nil, 0, err
	}
	body, response, err := c.send(ctx, m, settings, nil)
	if err != nil {
		return nil, 0, err
	}
	data, err := op.read(body, response)
	if err != nil {
		return nil, 0, err
	}
	page := new(P)
	_ = Value(data).As(page) // A model can always be decoded.
	var fields map[string]Value
	_ = Value(model(page).raw).As(&fields)
	next, err := strconv.Atoi(string(fields["next"]))
	if err != nil {
		return nil, 0, unexpected(response, "The response has an unknown form: it has no next.")
	}
	return page, next, nil
}
