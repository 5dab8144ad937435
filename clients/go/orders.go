package beatmarket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// DownloadProgress is the progress of a download.
type DownloadProgress struct {
	Kind FileKind `json:"kind"`
	// Received is the number of received bytes, of Bytes in total.
	Received int64 `json:"received"`
	Bytes    int64 `json:"bytes"`
}

// DownloadedFile is a file of an order on the disk, with the data of the service's list.
type DownloadedFile struct {
	Kind     FileKind `json:"kind"`
	Filename string   `json:"filename"`
	Bytes    int64    `json:"bytes"`
	SHA256   string   `json:"sha256"`
	Path     string   `json:"path"`
}

// DownloadParams has the settings of a download.
type DownloadParams struct {
	// OnProgress is called with the bytes that an earlier call downloaded (or 0), and after each chunk.
	OnProgress func(DownloadProgress)
}

func (s *OrdersService) transferDownload(ctx context.Context, orderID int, kind FileKind, destination string, params DownloadParams, options []CallOption) (*DownloadedFile, error) {
	settings, err := s.client.settingsOf(options)
	if err != nil {
		return nil, err
	}
	files, err := s.listing(ctx, orderID, transferRetries(settings.maxRetries), settings)
	if err != nil {
		return nil, err
	}
	file, err := fileOf(files, kind, orderID)
	if err != nil {
		return nil, err
	}
	return s.download(ctx, wanted{orderID, file, destination, params, settings})
}

func (s *OrdersService) transferDownloadAll(ctx context.Context, orderID int, folder string, params DownloadParams, options []CallOption) ([]DownloadedFile, error) {
	settings, err := s.client.settingsOf(options)
	if err != nil {
		return nil, err
	}
	files, err := s.listing(ctx, orderID, transferRetries(settings.maxRetries), settings)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, &BeatMarketError{fmt.Sprintf("The folder %s cannot be created.", folder), err}
	}
	taken := map[string]bool{}
	downloaded := []DownloadedFile{}
	for _, file := range files {
		name := safeFilename(file.Filename, string(file.Kind), taken)
		taken[strings.ToLower(name)] = true
		done, err := s.download(ctx, wanted{orderID, file, filepath.Join(folder, name), params, settings})
		if err != nil {
			return nil, err
		}
		downloaded = append(downloaded, *done)
	}
	return downloaded, nil
}

func (s *OrdersService) transferArchive(ctx context.Context, orderID int, path string, options []CallOption) (*Response, error) {
	m, settings, err := s.client.messageOf(opDownloadOrderArchive, given{ids: []any{orderID}}, options)
	if err != nil {
		return nil, err
	}
	b := &resumedBody{client: s.client, message: m, settings: settings, tries: s.client.attempts("GET "+m.url.String(), settings)}
	d := download{open: b.open(ctx), tries: b.tries, total: -1, overlap: 1}
	if err := d.save(ctx, path); err != nil {
		return nil, err
	}
	return b.response, nil
}

// resumedBody is a body of the API that is resumed after a break while its ETag stays the same.
type resumedBody struct {
	client   *Client
	message  message
	settings callSettings
	tries    *attempts
	response *Response
}

func (b *resumedBody) open(ctx context.Context) func(from int64) (*opened, error) {
	return func(from int64) (*opened, error) {
		m, header := b.message, http.Header{"Authorization": {b.client.authorization()}, "Accept-Encoding": {"identity"}}
		if b.response != nil && b.response.ETag != "" {
			header.Set("Range", fmt.Sprintf("bytes=%d-", from))
			header.Set("If-Range", b.response.ETag)
		}
		m.header, m.number = header, b.tries.number()
		o, err := b.client.open(ctx, m, b.settings)
		if err == nil {
			b.response = o.Response
		}
		return o, err
	}
}

// listing returns the files of an order. If the service is still creating them, it retries at most maxRetries times.
func (s *OrdersService) listing(ctx context.Context, orderID, maxRetries int, settings callSettings) ([]OrderFile, error) {
	listed, err := s.Files(ctx, orderID, WithTimeout(settings.timeout), WithMaxRetries(maxRetries), withExtras(settings))
	if err != nil {
		return nil, err
	}
	if len(listed.Files) == 0 {
		return nil, errorf("The order %d has no files: its license is refunded.", orderID)
	}
	return listed.Files, nil
}

// wanted is a file of an order and its destination.
type wanted struct {
	orderID     int
	file        OrderFile
	destination string
	params      DownloadParams
	settings    callSettings
}

func (w *wanted) report(received int64) {
	if w.params.OnProgress != nil {
		w.params.OnProgress(DownloadProgress{w.file.Kind, received, int64(w.file.Bytes)})
	}
}

// download downloads by a link. The destination is either complete or unchanged.
func (s *OrdersService) download(ctx context.Context, w wanted) (*DownloadedFile, error) {
	size := int64(w.file.Bytes)
	done := &DownloadedFile{w.file.Kind, w.file.Filename, size, w.file.SHA256, w.destination}
	found, err := os.Stat(w.destination)
	if err == nil && found.IsDir() {
		return nil, errorf("The destination %s is a folder; it takes the path of a file.", w.destination)
	}
	if err == nil && found.Size() == size {
		if hash, err := sha256Of(w.destination); err == nil && hash == w.file.SHA256 {
			w.report(size)
			return done, nil
		}
	}
	part := w.destination + ".part"
	for {
		before, err := s.receive(ctx, &w, part)
		if err != nil {
			return nil, err
		}
		hash, err := sha256Of(part)
		if err != nil {
			return nil, &BeatMarketError{fmt.Sprintf("The file %s cannot be read.", part), err}
		}
		if hash == w.file.SHA256 {
			if err := os.Rename(part, w.destination); err != nil {
				return nil, notWritten(w.destination, err)
			}
			return done, nil
		}
		_ = os.Remove(part) // The next round writes the part from its beginning.
		// If an earlier call wrote bytes of the part, they may belong to another file: then the whole file is downloaded.
		if before == 0 {
			return nil, &ChecksumError{errorf("The file %s of order %d came with other bytes than the service lists (SHA-256 %s, not %s) and was deleted; download it again.", w.file.Kind, w.orderID, hash, w.file.SHA256)}
		}
	}
}

var errFull = errors.New("the file is longer than the service lists")

// receive extends the file to its full length, or beyond it. It returns the previous number of bytes.
func (s *OrdersService) receive(ctx context.Context, w *wanted, path string) (int64, error) {
	file, err := openTarget(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	total := int64(w.file.Bytes)
	at := file.size
	if at > total {
		at = 0
	}
	w.report(at)
	tries := s.client.attempts(fmt.Sprintf("the download of the %s of order %d", w.file.Kind, w.orderID), w.settings)
	tries.maxRetries = transferRetries(w.settings.maxRetries)
	link := w.file.URL
	d := download{total: total, tries: tries, open: func(from int64) (*opened, error) { return s.openFile(ctx, w, &link, from, tries.number()) }}
	if at < total {
		err = d.run(ctx, at, func(at int64, data []byte) error {
			// A single excess byte proves that it is another file.
			if err := file.write(at, data[:min(int64(len(data)), total+1-at)]); err != nil {
				return err
			}
			if file.size > total {
				return errFull
			}
			w.report(file.size)
			return nil
		})
		if err != nil && !errors.Is(err, errFull) {
			return at, err
		}
	}
	if err := file.Sync(); err != nil {
		return at, notWritten(path, err)
	}
	return at, nil
}

// openFile requests one new link if the old one has expired.
func (s *OrdersService) openFile(ctx context.Context, w *wanted, link *string, from int64, number int) (*opened, error) {
	header := http.Header{"Accept-Encoding": {"identity"}}
	if from > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	o, err := s.client.openLink(ctx, *link, header, number, w.settings)
	var gone *GoneError
	if !errors.As(err, &gone) {
		return o, err
	}
	files, err := s.listing(ctx, w.orderID, 0, w.settings)
	if err != nil {
		return nil, err
	}
	file, err := fileOf(files, w.file.Kind, w.orderID)
	if err != nil {
		return nil, err
	}
	*link = file.URL
	return s.client.openLink(ctx, *link, header, number, w.settings)
}

func fileOf(files []OrderFile, kind FileKind, orderID int) (OrderFile, error) {
	kinds := make([]string, len(files))
	for index, file := range files {
		if file.Kind == kind {
			return file, nil
		}
		kinds[index] = string(file.Kind)
	}
	return OrderFile{}, errorf("The order %d has no %s; it has %s.", orderID, kind, strings.Join(kinds, ", "))
}

func sha256Of(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}
