package beatmarket

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
)

// BeatExport is a saved export of all beats.
type BeatExport struct {
	Path string
	// Position is the position up to which the export has every change. Continue from it with Changes.Follow.
	Position int
	Response *Response
}

func (s *ExportsService) transferBeats(ctx context.Context, path string, options []CallOption) (*BeatExport, error) {
	d, position, b, err := s.export(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := d.save(ctx, path); err != nil {
		return nil, err
	}
	return &BeatExport{path, int(position.Load()), b.response}, nil
}

func (s *ExportsService) export(ctx context.Context, options []CallOption) (*download, *atomic.Int64, *resumedBody, error) {
	m, settings, err := s.client.messageOf(opExportBeats, given{}, options)
	if err != nil {
		return nil, nil, nil, err
	}
	b := &resumedBody{client: s.client, message: m, settings: settings, tries: s.client.attempts("GET "+m.url.String(), settings)}
	open, position := b.open(ctx), new(atomic.Int64)
	d := &download{tries: b.tries, total: -1, overlap: 1}
	d.open = func(from int64) (*opened, error) {
		o, err := open(from)
		if err != nil {
			return nil, err
		}
		at, err := strconv.ParseInt(o.Header.Get("X-Change-Position"), 10, 0)
		if err != nil {
			o.Close()
			return nil, disconnected("The response is not an export: it has no X-Change-Position.", nil)
		}
		position.Store(at)
		return o, nil
	}
	return d, position, b, nil
}

// All iterates over the beats of the file.
func (e *BeatExport) All() iter.Seq2[BeatDetail, error] {
	return func(yield func(BeatDetail, error) bool) {
		file, err := os.Open(e.Path)
		if err != nil {
			yield(BeatDetail{}, notRead(e.Path, err))
			return
		}
		defer file.Close()
		beatsIn(file, yield)
	}
}

// BeatStream is an export that a program reads once, as it arrives.
type BeatStream struct {
	client  *ExportsService
	options []CallOption
	// Position is as in BeatExport. It is 0 until the first beat.
	Position int
}

// Stream reads all beats as they arrive, without a file.
func (s *ExportsService) Stream(options ...CallOption) *BeatStream {
	return &BeatStream{client: s, options: options}
}

// All iterates over the beats. It resumes after a broken connection. If the service has created another export by then,
// it returns an error, because beats of two exports do not mix.
func (b *BeatStream) All(ctx context.Context) iter.Seq2[BeatDetail, error] {
	return func(yield func(BeatDetail, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		d, position, _, err := b.client.export(ctx, b.options)
		if err != nil {
			yield(BeatDetail{}, err)
			return
		}
		reader, writer := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = writer.CloseWithError(d.run(ctx, 0, ordered(writer))) // CloseWithError never returns an error.
		}()
		defer func() {
			_ = reader.Close() // This ends the writer.
			cancel()
			<-done
		}()
		beatsIn(reader, func(beat BeatDetail, err error) bool {
			b.Position = int(position.Load())
			return yield(beat, err)
		})
	}
}

// ordered passes bytes on, and returns an error if the download starts over.
func ordered(writer io.Writer) func(at int64, data []byte) error {
	end := int64(0)
	return func(at int64, data []byte) error {
		if at != end {
			return disconnected("A newer export took the place of this one while it was read: begin again.", nil)
		}
		end += int64(len(data))
		_, err := writer.Write(data)
		return err
	}
}

// beatsIn reads lines of JSON in gzip.
func beatsIn(source io.Reader, yield func(BeatDetail, error) bool) {
	content, err := gzip.NewReader(source)
	if err != nil {
		yield(BeatDetail{}, brokenExport(err))
		return
	}
	lines := bufio.NewReader(content)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return
		}
		var beat BeatDetail
		if err == nil {
			err = json.Unmarshal(line, &beat)
		}
		if err != nil {
			yield(beat, brokenExport(err))
			return
		}
		if !yield(beat, nil) {
			return
		}
	}
}

// brokenExport returns the error of the download if there was one, else an APIConnectionError.
func brokenExport(err error) error {
	var own *BeatMarketError
	if errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return disconnected("The export is not whole: begin again.", err)
}

func (s *SalesService) transferExport(ctx context.Context, month, path string, options []CallOption) (*Response, error) {
	m, settings, err := s.client.messageOf(opExportSales, given{required: []string{"month", month}}, options)
	if err != nil {
		return nil, err
	}
	m.header = http.Header{"Authorization": {s.client.authorization()}, "Accept": {"text/csv"}}
	var response *Response
	d := download{tries: s.client.attempts(fmt.Sprintf("GET %s", m.url), settings), total: -1, restarts: true}
	d.open = func(int64) (*opened, error) {
		m.number = d.tries.number()
		o, err := s.client.open(ctx, m, settings)
		if err == nil {
			response = o.Response
		}
		return o, err
	}
	err = d.save(ctx, path)
	return response, err
}
