package beatmarket

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	defaultPartBytes = 8_000_000
	// The slowest connection on which a part still arrives in time.
	slowestBytesPerSecond = 64_000
	firstPoll             = time.Second
	longestPoll           = 8 * time.Second
	defaultWait           = 10 * time.Minute
)

// UploadProgress is the progress of an upload.
type UploadProgress struct {
	// UploadID is the id for Resume, which works in a later process too.
	UploadID string `json:"upload_id"`
	// Sent is the number of bytes that the service has received, of Bytes in total.
	Sent  int64 `json:"sent"`
	Bytes int64 `json:"bytes"`
}

// UploadParams are the settings of an upload.
type UploadParams struct {
	// Filename is by default the file's own name for UploadFile, and the kind for Upload. Resume does not use it.
	Filename string
	// OnProgress is called when the upload's id is known, and after each part.
	OnProgress func(UploadProgress)
	// PartBytes is the size of a part, which is held in memory. A file that fits into one part is sent in one request.
	// Default: 8,000,000.
	PartBytes int64
}

// Source is the content of an upload: a file, a bytes.Reader, or any other io.ReaderAt.
type Source interface {
	io.ReaderAt
	// Size is the number of its bytes.
	Size() int64
}

type fileSource struct {
	*os.File
	size int64
}

func (f fileSource) Size() int64 { return f.size }

func openSource(path string) (*fileSource, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, notRead(path, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a folder")
	}
	if err != nil {
		_ = file.Close() // Nothing was written.
		return nil, notRead(path, err)
	}
	return &fileSource{file, info.Size()}, nil
}

func notRead(path string, cause error) error {
	return &BeatMarketError{fmt.Sprintf("The file %s cannot be read.", path), cause}
}

// UploadFile uploads the file at a path, as Upload does.
func (s *UploadsService) UploadFile(ctx context.Context, path string, kind UploadKind, params UploadParams, options ...CallOption) (*Upload, error) {
	file, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if params.Filename == "" {
		params.Filename = filepath.Base(path)
	}
	return s.Upload(ctx, file, kind, params, options...)
}

// ResumeFile sends the rest of the file at a path, as Resume does.
func (s *UploadsService) ResumeFile(ctx context.Context, uploadID, path string, params UploadParams, options ...CallOption) (*Upload, error) {
	file, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return s.Resume(ctx, uploadID, file, params, options...)
}

func (s *UploadsService) transferUpload(ctx context.Context, source Source, kind UploadKind, params UploadParams, options []CallOption) (*Upload, error) {
	t, err := s.transfer(source, params, options)
	if err != nil {
		return nil, err
	}
	if kind == "" {
		return nil, errorf("An upload takes its kind, such as UploadKindAudio.")
	}
	if params.Filename == "" {
		params.Filename = string(kind)
	}
	var part []byte
	if source.Size() <= t.partBytes {
		if part, err = t.read(0); err != nil {
			return nil, err
		}
	}
	encode := base64.StdEncoding.EncodeToString
	header := http.Header{"Upload-Length": {strconv.FormatInt(source.Size(), 10)}}
	header.Set("Upload-Metadata", fmt.Sprintf("kind %s,filename %s", encode([]byte(kind)), encode([]byte(params.Filename))))
	created, err := t.send(ctx, http.MethodPost, "/uploads", part, header, t.settings.maxRetries)
	if err != nil {
		return nil, err
	}
	// The host of the address is ignored: the key is sent to the base URL only.
	folder, name := path.Split(created.Header.Get("Location"))
	t.id, err = url.PathUnescape(name)
	if !strings.HasSuffix(folder, "/uploads/") || name == "" || strings.ContainsAny(name, "?#") || err != nil {
		return nil, unexpected(created, "The response has no address of an upload.")
	}
	offset := int64(len(part))
	return t.run(ctx, &offset)
}

func (s *UploadsService) transferResume(ctx context.Context, uploadID string, source Source, params UploadParams, options []CallOption) (*Upload, error) {
	t, err := s.transfer(source, params, options)
	if err != nil {
		return nil, err
	}
	t.id = uploadID
	return t.run(ctx, nil)
}

func (s *UploadsService) transferWait(ctx context.Context, uploadID string, limit time.Duration, options []CallOption) (*Upload, error) {
	if limit < 0 {
		return nil, errorf("The limit is %v; it takes a duration from 0.", limit)
	}
	if limit == 0 {
		limit = defaultWait
	}
	end := time.Now().Add(limit)
	for poll := firstPoll; ; poll = min(2*poll, longestPoll) {
		upload, err := s.Get(ctx, uploadID, options...)
		if err != nil || upload.Status == UploadStatusReady {
			return upload, err
		}
		if upload.Status == UploadStatusRejected {
			reason := fmt.Sprintf("The upload %s was rejected.", uploadID)
			if upload.Rejection != nil {
				reason = *upload.Rejection
			}
			return nil, &UploadRejectedError{&BeatMarketError{Message: reason}, upload}
		}
		left := time.Until(end)
		if left <= 0 {
			return nil, timeout(fmt.Sprintf("The upload %s is %s after %v.", uploadID, upload.Status, limit), nil)
		}
		if err := pause(ctx, min(poll, left)); err != nil {
			return nil, err
		}
	}
}

// transfer sends the bytes of an upload.
type transfer struct {
	service   *UploadsService
	source    Source
	settings  callSettings
	partBytes int64
	progress  func(UploadProgress)
	id        string
}

func (s *UploadsService) transfer(source Source, params UploadParams, options []CallOption) (*transfer, error) {
	settings, err := s.client.settingsOf(options)
	if err != nil {
		return nil, err
	}
	if _, err := settings.extras.addBody(nil); err != nil {
		return nil, err
	}
	if params.PartBytes < 0 {
		return nil, errorf("PartBytes is %d; it takes a whole number from 1, or 0 for %d.", params.PartBytes, defaultPartBytes)
	}
	if params.PartBytes == 0 {
		params.PartBytes = defaultPartBytes
	}
	return &transfer{service: s, source: source, settings: settings, partBytes: params.PartBytes, progress: params.OnProgress}, nil
}

// run sends the bytes that the service lacks. After a failure it requests the offset, and continues from there.
func (t *transfer) run(ctx context.Context, offset *int64) (*Upload, error) {
	path, err := opGetUpload.pathOf([]any{t.id})
	if err != nil {
		return nil, err
	}
	tries := t.service.client.attempts("upload "+t.id, t.settings)
	tries.maxRetries = transferRetries(t.settings.maxRetries)
	reported := int64(-1)
	report := func(sent int64) {
		if sent == reported {
			return
		}
		if reported >= 0 {
			tries.failed = 0
		}
		reported = sent
		if t.progress != nil {
			t.progress(UploadProgress{t.id, sent, t.source.Size()})
		}
	}
	for offset == nil || *offset < t.source.Size() || reported < 0 {
		offset, err = t.step(ctx, path, offset, report)
		if err != nil {
			if err := tries.after(ctx, err); err != nil {
				return nil, err
			}
		}
	}
	return t.service.Get(ctx, t.id, WithTimeout(t.settings.timeout), WithMaxRetries(t.settings.maxRetries), withExtras(t.settings))
}

func (t *transfer) step(ctx context.Context, path string, offset *int64, report func(int64)) (*int64, error) {
	if offset == nil {
		known, err := t.offset(ctx, path)
		if err != nil {
			return nil, err
		}
		offset = &known
	}
	report(*offset)
	if *offset >= t.source.Size() {
		return offset, nil
	}
	part, err := t.read(*offset)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Upload-Offset": {strconv.FormatInt(*offset, 10)}}
	response, err := t.send(ctx, http.MethodPatch, path, part, header, 0)
	if err != nil {
		return nil, err
	}
	next, err := offsetIn(response)
	if err != nil {
		return nil, err
	}
	report(next)
	return &next, nil
}

func (t *transfer) offset(ctx context.Context, path string) (int64, error) {
	response, err := t.send(ctx, http.MethodHead, path, nil, nil, 0)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		// A response to HEAD has no body, so Get returns the error with the reason.
		if _, err := t.service.Get(ctx, t.id, WithTimeout(t.settings.timeout), withExtras(t.settings)); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, err
	}
	if size := response.Header.Get("Upload-Length"); size != strconv.FormatInt(t.source.Size(), 10) {
		return 0, errorf("The file has %d bytes, and the upload %s is for a file with %s; resume it with the same file.", t.source.Size(), t.id, size)
	}
	return offsetIn(response)
}

func offsetIn(response *Response) (int64, error) {
	offset, err := strconv.ParseInt(response.Header.Get("Upload-Offset"), 10, 64)
	if err != nil || offset < 0 {
		return 0, unexpected(response, "The response has no Upload-Offset.")
	}
	return offset, nil
}

// read reads the part at an offset.
func (t *transfer) read(offset int64) ([]byte, error) {
	part := make([]byte, min(t.partBytes, t.source.Size()-offset))
	if _, err := io.ReadFull(io.NewSectionReader(t.source, offset, int64(len(part))), part); err != nil {
		return nil, &BeatMarketError{"The file cannot be read to its end: it became shorter while it was uploaded, or the disk failed.", err}
	}
	return part, nil
}

func (t *transfer) send(ctx context.Context, method, path string, part []byte, header http.Header, maxRetries int) (*Response, error) {
	c, settings := t.service.client, t.settings
	settings.maxRetries = maxRetries
	m := message{method: method, url: c.url(path, cloned(settings.extras.query)), header: http.Header{"Tus-Resumable": {"1.0.0"}}, body: part, hasBody: part != nil}
	m.operation = map[string]string{http.MethodPost: "createUpload", http.MethodHead: "getUploadOffset", http.MethodPatch: "appendToUpload"}[method]
	for name, values := range header {
		m.header[name] = values
	}
	if part != nil {
		hash := sha256.Sum256(part)
		m.header.Set("Content-Type", "application/offset+octet-stream")
		m.header.Set("Upload-Checksum", "sha256 "+base64.StdEncoding.EncodeToString(hash[:]))
		m.more = time.Duration(len(part)/slowestBytesPerSecond+1) * time.Second
	}
	_, response, err := c.send(ctx, m, settings, nil)
	if err == nil && response.Header.Get("Tus-Resumable") == "" {
		return nil, unexpected(response, "The response is not from a tus server: is the base URL right?")
	}
	return response, err
}
