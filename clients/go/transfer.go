package beatmarket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const mostRedirects = 5

// opened is a response whose bytes are still to come. Close ends it.
type opened struct {
	*Response
	body   io.ReadCloser
	cancel context.CancelFunc
	timer  *time.Timer
	limit  time.Duration
	fail   func(error) error
}

// Read reads the next bytes, for which the time limit begins again.
func (o *opened) Read(into []byte) (int, error) {
	o.timer.Reset(o.limit)
	count, err := o.body.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		err = o.fail(err)
	}
	return count, err
}

func (o *opened) Close() {
	o.timer.Stop()
	o.cancel()
	_ = o.body.Close() // All that was wanted is read.
}

// open opens a response to read its bytes, in one attempt. A status of the others is an error.
func (c *Client) open(ctx context.Context, address *url.URL, header http.Header, its callSettings, statuses ...int) (*opened, error) {
	within, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(its.timeout, cancel)
	m := message{method: http.MethodGet, url: address}
	m.header = headerOf(&m, &callSettings{})
	m.header.Set("Accept", "*/*")
	for name, values := range header {
		m.header[name] = values
	}
	shown := "GET " + address.String()
	if m.header.Get("Authorization") == "" {
		// What follows the path of a link signs it, and is enough to download the file.
		shown = fmt.Sprintf("GET %s://%s%s", address.Scheme, address.Host, address.Path)
	}
	fail := func(cause error) error { return failureOf(ctx, within, shown, its.timeout, cause) }
	received, err := c.do(within, m)
	if err != nil {
		err = fail(err)
		timer.Stop()
		cancel()
		return nil, err
	}
	o := &opened{responseOf(received), received.Body, cancel, timer, its.timeout, fail}
	c.logger.DebugContext(ctx, "beatmarket: "+shown, "status", o.Status, "request_id", o.RequestID)
	for _, status := range append(statuses, http.StatusOK, http.StatusPartialContent) {
		if o.Status == status {
			return o, nil
		}
	}
	defer o.Close()
	body, err := io.ReadAll(o)
	if err != nil {
		return nil, err
	}
	if _, err := contentOf(m, body, o.Response); err != nil {
		return nil, err
	}
	return nil, unexpected(o.Response, "The response has an unknown form.")
}

// openLink opens a link without the API key, which neither its host gets nor one that it redirects to.
func (c *Client) openLink(ctx context.Context, link string, header http.Header, its callSettings) (*opened, error) {
	address, err := url.Parse(link)
	if err != nil || !isConfidential(address) {
		return nil, errorf("The link of the file takes an https: address: is PUBLIC_URL of the service right?")
	}
	for redirects := 0; ; redirects++ {
		statuses := []int{301, 302, 303, 307, 308}
		if redirects == mostRedirects {
			statuses = nil
		}
		o, err := c.open(ctx, address, header, its, statuses...)
		if err != nil || o.Status < 300 {
			return o, err
		}
		o.Close()
		next, err := address.Parse(o.Header.Get("Location"))
		if err != nil || o.Header.Get("Location") == "" || !isConfidential(next) {
			return nil, statusError(o.Response, "", fmt.Sprintf("The response has status %d, a redirect, which is not followed: is the base URL right?", o.Status), "")
		}
		address = next
	}
}

// download is a body that is gone on with where a connection breaks.
type download struct {
	// open opens the bytes from an offset on, in one attempt.
	open  func(from int64) (*opened, error)
	tries *attempts
	// total is how many bytes there must be at the end, -1 if only the service knows.
	total int64
	// restarts says that the body is made while it is sent: an attempt that breaks is begun again.
	restarts bool
	// overlap is how many bytes are requested again: 1 where the total is unknown, since a range may not be empty.
	overlap int64
}

// run passes bytes to write with their place. Bytes at 0 begin again: those before are of another file.
func (d *download) run(ctx context.Context, at int64, write func(at int64, data []byte) error) error {
	for next := at; ; {
		err := d.attempt(&next, write)
		if err == nil {
			return nil
		}
		var local *writeError
		if errors.As(err, &local) {
			return local.error
		}
		if err := d.tries.after(ctx, err); err != nil {
			return err
		}
	}
}

// writeError is an error of whoever takes the bytes, after which nothing is tried again.
type writeError struct{ error }

func (d *download) attempt(next *int64, write func(at int64, data []byte) error) error {
	from := max(0, *next-d.overlap)
	if d.restarts {
		from = 0
	}
	o, err := d.open(from)
	if err != nil {
		return err
	}
	defer o.Close()
	skipped := *next - from
	if o.Status == http.StatusOK {
		*next, skipped = 0, 0
	} else if given := o.Header.Get("Content-Range"); !strings.HasPrefix(given, fmt.Sprintf("bytes %d-", from)) {
		return disconnected(fmt.Sprintf("The response has the bytes %s, not those from %d.", given, from), nil)
	}
	buffer := make([]byte, 64<<10)
	for {
		count, err := o.Read(buffer)
		fresh := buffer[min(skipped, int64(count)):count]
		skipped = max(0, skipped-int64(count))
		if len(fresh) > 0 {
			if err := write(*next, fresh); err != nil {
				return &writeError{err}
			}
			*next += int64(len(fresh))
			if !d.restarts {
				d.tries.failed = 0
			}
		}
		switch {
		case errors.Is(err, io.EOF) && *next < d.total:
			return disconnected(fmt.Sprintf("The file ended after %d of %d bytes.", *next, d.total), nil)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// target is a file that is written.
type target struct {
	*os.File
	size int64
}

// openTarget keeps the bytes that are there: a call that is refused deletes nothing.
func openTarget(path string) (*target, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, notWritten(path, err)
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close() // Its error would say less.
		return nil, notWritten(path, err)
	}
	return &target{file, info.Size()}, nil
}

// write writes bytes at their place, which is the end of the file from then on.
func (t *target) write(at int64, data []byte) error {
	if at < t.size {
		if err := t.Truncate(at); err != nil {
			return notWritten(t.Name(), err)
		}
	}
	if _, err := t.WriteAt(data, at); err != nil {
		return notWritten(t.Name(), err)
	}
	t.size = at + int64(len(data))
	return nil
}

func notWritten(path string, cause error) error {
	return &BeatMarketError{fmt.Sprintf("The file %s cannot be written.", path), cause}
}

// save writes a whole download to a file.
func (d *download) save(ctx context.Context, path string) error {
	file, err := openTarget(path)
	if err != nil {
		return err
	}
	isNew, written := file.size == 0, int64(0)
	err = d.run(ctx, 0, func(at int64, data []byte) error {
		written = at + int64(len(data))
		return file.write(at, data)
	})
	if err == nil {
		err = file.write(written, nil)
	}
	if closing := file.Close(); err == nil && closing != nil {
		err = notWritten(path, closing)
	}
	if err != nil && isNew && written == 0 {
		_ = os.Remove(path) // A refused call leaves no empty file.
	}
	return err
}
