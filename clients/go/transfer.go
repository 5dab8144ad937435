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

// opened is a response whose body is not read yet. Close ends it.
type opened struct {
	*Response
	body   io.ReadCloser
	cancel context.CancelFunc
	timer  *time.Timer
	limit  time.Duration
	fail   func(error) error
}

// Read reads the next bytes. The time limit starts again for them.
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
	_ = o.body.Close() // Its error does not matter: the needed bytes are read.
}

// open opens a response to read its bytes, in one attempt. Any status but 200, 206 and the given ones is an error. A
// message without Authorization is for a link: it gets no additional headers, and its query is not logged.
func (c *Client) open(ctx context.Context, m message, settings callSettings, statuses ...int) (*opened, error) {
	m.method, m.readsJSON = http.MethodGet, false
	header, shown := m.header, "GET "+m.url.String()
	only := callSettings{extras: settings.extras}
	if header.Get("Authorization") == "" {
		only = callSettings{}
		// Without the query, which signs a link: with it, anybody could download the file.
		shown = fmt.Sprintf("GET %s://%s%s", m.url.Scheme, m.url.Host, m.url.Path)
	}
	m.header = nil
	m.header = c.headerOf(&m, &only)
	m.header.Set("Accept", "*/*")
	for name, values := range header {
		m.header[name] = values
	}
	end, err := c.begin(ctx, &m)
	if err != nil {
		return nil, err
	}
	o, response, err := c.openNow(ctx, m, shown, settings.timeout, statuses)
	if err := end(response, err); err != nil {
		if o != nil {
			o.Close()
		}
		return nil, err
	}
	return o, nil
}

func (c *Client) openNow(ctx context.Context, m message, shown string, limit time.Duration, statuses []int) (*opened, *Response, error) {
	within, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(limit, cancel)
	fail := func(cause error) error { return failureOf(ctx, within, shown, limit, cause) }
	received, err := c.do(within, m)
	if err != nil {
		err = fail(err)
		timer.Stop()
		cancel()
		return nil, nil, err
	}
	o := &opened{responseOf(received), received.Body, cancel, timer, limit, fail}
	c.logger.DebugContext(ctx, "beatmarket: "+shown, "status", o.Status, "request_id", o.RequestID)
	for _, status := range append(statuses, http.StatusOK, http.StatusPartialContent) {
		if o.Status == status {
			return o, o.Response, nil
		}
	}
	defer o.Close()
	body, err := io.ReadAll(o)
	if err != nil {
		return nil, o.Response, err
	}
	if _, err := contentOf(m, body, o.Response); err != nil {
		return nil, o.Response, err
	}
	return nil, o.Response, unexpected(o.Response, "The response has an unknown form.")
}

// openLink opens a link without the API key, so neither its host nor the target of a redirect gets the key.
func (c *Client) openLink(ctx context.Context, link string, header http.Header, number int, settings callSettings) (*opened, error) {
	address, err := url.Parse(link)
	if err != nil || !isConfidential(address) {
		return nil, errorf("The link of the file takes an https: address: is PUBLIC_URL of the service right?")
	}
	for redirects := 0; ; redirects++ {
		statuses := []int{301, 302, 303, 307, 308}
		if redirects == mostRedirects {
			statuses = nil
		}
		o, err := c.open(ctx, message{url: address, header: header, number: number}, settings, statuses...)
		if err != nil || o.Status < 300 {
			return o, err
		}
		o.Close()
		next, err := address.Parse(o.Header.Get("Location"))
		if err != nil || o.Header.Get("Location") == "" || !isConfidential(next) {
			return nil, statusError(o.Response, "", fmt.Sprintf("The response has status %d, a redirect, which is not followed: is the base URL right?", o.Status), "", nil)
		}
		address = next
	}
}

// download is a body that is resumed where a connection broke.
type download struct {
	// open opens the bytes from an offset on, in one attempt.
	open  func(from int64) (*opened, error)
	tries *attempts
	// total is the number of bytes of the whole body, -1 if only the service knows it.
	total int64
	// restarts is true for a body that the service generates while sending: each connection sends it from its start.
	restarts bool
	// overlap is the number of bytes that are requested again: 1 if the total is unknown, because a range cannot be empty.
	overlap int64
}

// run calls write with bytes and their offset. Bytes at offset 0 begin the body: they replace any earlier bytes.
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

// writeError is an error of the write function. It ends the download without a retry.
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

// openTarget keeps the bytes of an existing file, so that a refused call deletes nothing.
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

// write writes bytes at their offset, and truncates the file after them.
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

// save writes a whole download to "<path>.part", and renames it at the end. A call that fails deletes "<path>.part",
// and does not change the file at the path. A device or a pipe is written directly.
func (d *download) save(ctx context.Context, path string) error {
	// A device or a pipe cannot be replaced.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return d.write(ctx, path)
	}
	part := path + ".part"
	_ = os.Remove(part) // A killed process may have left it. If it cannot be removed, opening it returns the error.
	if err := d.write(ctx, part); err != nil {
		_ = os.Remove(part) // The error of the download says more.
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return notWritten(path, err)
	}
	return nil
}

func (d *download) write(ctx context.Context, path string) error {
	file, err := openTarget(path)
	if err != nil {
		return err
	}
	err = d.run(ctx, 0, file.write)
	if closing := file.Close(); err == nil && closing != nil {
		err = notWritten(path, closing)
	}
	return err
}
