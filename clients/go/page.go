package beatmarket

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"net/url"
	"reflect"
	"slices"
)

// Page is one page of a list, with facts about all pages.
type Page[T, E any] struct {
	Data       []T
	Pagination Pagination
	// Total is the number of items of all pages.
	Total int
	// Extra has the additional fields of the list, such as facets.
	Extra    E
	Response *Response

	pages *pages[T, E]
	place place
}

// place is the position of a page in its list.
type place struct {
	url *url.URL
	// left is the number of items that may still follow, including the items of this page.
	left    int
	visited []string
}

// pages has the request that all pages of a list share.
type pages[T, E any] struct {
	client  *Client
	op      operation
	in      given
	options []CallOption
}

func pagesOf[T, E any](c *Client, op operation, in given, options []CallOption) *pages[T, E] {
	return &pages[T, E]{c, op, in, options}
}

func (p *pages[T, E]) start() (place, error) {
	m, _, err := p.client.messageOf(p.op, p.in, p.options)
	if err != nil {
		return place{}, err
	}
	left := math.MaxInt
	params := reflect.ValueOf(p.in.params)
	if limit, is := params.FieldByName("MaxItems").Interface().(Opt[int]); is {
		if most, isThere := limit.Get(); isThere {
			left = most
		}
	}
	if left < 0 {
		return place{}, errorf("MaxItems is %d; it takes a whole number from 0.", left)
	}
	return place{url: m.url, left: left}, nil
}

func (p *pages[T, E]) first(ctx context.Context) (*Page[T, E], error) {
	at, err := p.start()
	if err != nil {
		return nil, err
	}
	return p.at(ctx, at)
}

func (p *pages[T, E]) at(ctx context.Context, at place) (*Page[T, E], error) {
	settings, err := p.client.settingsOf(p.options)
	if err != nil {
		return nil, err
	}
	body, response, err := p.client.send(ctx, message{method: p.op.method, operation: p.op.id, url: at.url, readsJSON: true}, settings, nil)
	if err != nil {
		return nil, err
	}
	data, err := p.op.read(body, response)
	if err != nil {
		return nil, err
	}
	var parts map[string]json.RawMessage
	page := &Page[T, E]{Response: response, pages: p, place: at}
	if json.Unmarshal(data, &parts) != nil || !isObject(parts["pagination"]) {
		return nil, unexpected(response, "The response has an unknown form: it has no pagination.")
	}
	_ = json.Unmarshal(parts["pagination"], &page.Pagination) // A model can always be decoded.
	_ = json.Unmarshal(data, &page.Extra)
	page.Total = page.Pagination.Total
	for _, key := range p.op.keys {
		items, err := itemsOf[T](parts[key], key, len(p.op.keys) > 1)
		if err != nil {
			return nil, unexpected(response, "The response has an unknown form: it has no "+key+".")
		}
		items = items[:min(len(items), at.left-len(page.Data))]
		shorten(&page.Extra, key, len(items))
		page.Data = append(page.Data, items...)
	}
	return page, nil
}

// shorten keeps the first items of a list. A list of several kinds also has its items in the extras.
func shorten(extra any, key string, count int) {
	into := reflect.ValueOf(extra).Elem()
	for index := range into.NumField() {
		if into.Type().Field(index).Tag.Get("json") == key {
			list := into.Field(index)
			list.Set(list.Slice(0, min(list.Len(), count)))
		}
	}
}

// itemsOf decodes the items of a list. If a list has several kinds, key names the kind.
func itemsOf[T any](data json.RawMessage, key string, isKind bool) ([]T, error) {
	if isKind {
		var raw []json.RawMessage
		if err := json.Unmarshal(data, &raw); err != nil {
			return nil, err
		}
		items := make([]T, len(raw))
		field := map[string]string{"beats": "Beat", "producers": "Producer"}[key]
		for index, each := range raw {
			into := reflect.ValueOf(&items[index]).Elem().FieldByName(field)
			into.Set(reflect.New(into.Type().Elem()))
			_ = json.Unmarshal(each, into.Interface())
		}
		return items, nil
	}
	var items []T
	err := json.Unmarshal(data, &items)
	return items, err
}

// HasNext says whether there is another page, within MaxItems.
func (p *Page[T, E]) HasNext() bool {
	return p.nextURL() != "" && len(p.Data) < p.place.left
}

// noAddress is not a valid URL.
const noAddress = "\x7f"

// nextURL returns "" if there is no next page, and noAddress if the address is empty or not a text.
func (p *Page[T, E]) nextURL() string {
	fields := map[string]Value{}
	_ = Value(p.Pagination.raw).As(&fields)
	var address string
	switch raw := fields["next_page_url"]; {
	case raw == "" || raw == "null":
		return ""
	case raw.As(&address) != nil, address == "":
		return noAddress
	}
	return address
}

// Next requests the page after this one, with the same filters. It returns nil after the last page.
func (p *Page[T, E]) Next(ctx context.Context) (*Page[T, E], error) {
	if !p.HasNext() {
		return nil, nil
	}
	next, err := p.place.url.Parse(p.nextURL())
	if err != nil || next.Scheme != p.place.url.Scheme || next.Host != p.place.url.Host {
		return nil, unexpected(p.Response, "The next page has another origin, and the key goes to "+p.place.url.Host+" only. Set the base URL to the address that the service uses in its links.")
	}
	settings, err := p.pages.client.settingsOf(p.pages.options)
	if err != nil {
		return nil, err
	}
	next = settings.extras.complete(next)
	// A page that was requested before would repeat the list without end.
	visited := append(slices.Clone(p.place.visited), p.place.url.String())
	if slices.Contains(visited, next.String()) {
		return nil, nil
	}
	return p.pages.at(ctx, place{url: next, left: p.place.left - len(p.Data), visited: visited})
}

// A loop may continue after errors; after this many failures of a page it ends.
const mostFailures = 3

func (p *pages[T, E]) all(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var nothing T
		at, err := p.start()
		if err != nil {
			yield(nothing, err)
			return
		}
		if at.left == 0 {
			return
		}
		request := func() (*Page[T, E], error) { return p.at(ctx, at) }
		for failures := 0; failures < mostFailures; {
			page, err := request()
			if err != nil {
				failures++
				if !yield(nothing, err) {
					return
				}
				continue
			}
			failures = 0
			if page == nil {
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			request = func() (*Page[T, E], error) { return page.Next(ctx) }
		}
	}
}
