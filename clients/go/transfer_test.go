package beatmarket_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"beatmarket.example/beatmarket"
)

var content = bytes.Repeat([]byte("beat"), 50_000)

// serveFile serves an order with one file. The listed checksum is that of listed, and the first response with the file
// breaks in the middle.
func serveFile(t *testing.T, listed []byte) (*beatmarket.Client, *[]string) {
	t.Helper()
	hash := sha256.Sum256(listed)
	var ranges []string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/orders/3/files", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"files":[{"kind":"mp3","filename":"../a.mp3","bytes":%d,"sha256":"%s","url":"http://%s/link"}],"license":{}}}`,
			len(content), hex.EncodeToString(hash[:]), r.Host)
	})
	mux.HandleFunc("GET /link", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("The link gets the key.")
		}
		ranges = append(ranges, r.Header.Get("Range"))
		if len(ranges) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write(content[:100_000])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "a.mp3", time.Time{}, bytes.NewReader(content))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client, err := beatmarket.New(beatmarket.WithAPIKey("bm_secret"), beatmarket.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		t.Fatal(err)
	}
	return client, &ranges
}

func TestADownloadResumesWhereItBrokeAndACompleteFileIsKept(t *testing.T) {
	client, ranges := serveFile(t, content)
	folder := t.TempDir()
	files, err := client.Orders.DownloadAll(t.Context(), 3, folder, beatmarket.DownloadParams{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "_a.mp3"))
	if err != nil || !bytes.Equal(got, content) || files[0].Path != filepath.Join(folder, "_a.mp3") {
		t.Error(files, err, len(got))
	}
	if len(*ranges) != 2 || (*ranges)[1] == "" {
		t.Errorf("the ranges are %q", *ranges)
	}
	if _, err := client.Orders.DownloadAll(t.Context(), 3, folder, beatmarket.DownloadParams{}); err != nil || len(*ranges) != 2 {
		t.Error("A complete file is downloaded again.", err)
	}
}

func TestBytesWithAnotherChecksumAreDeleted(t *testing.T) {
	client, _ := serveFile(t, []byte("another file"))
	path := filepath.Join(t.TempDir(), "a.mp3")
	_, err := client.Orders.Download(t.Context(), 3, beatmarket.FileKindMp3, path, beatmarket.DownloadParams{})
	var checksum *beatmarket.ChecksumError
	if !errors.As(err, &checksum) {
		t.Error(err)
	}
	for _, each := range []string{path, path + ".part"} {
		if _, err := os.Stat(each); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left", each)
		}
	}
}

func TestARefusedDownloadCreatesNoFile(t *testing.T) {
	client, _ := serve(t, failure(404, "not_found"))
	path := filepath.Join(t.TempDir(), "sales.csv")
	if _, err := client.Sales.Export(t.Context(), "2026-11", path); err == nil {
		t.Fatal("404 is no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("An empty file is left.")
	}
}

func TestAnUploadRequestsItsOffsetAfterAFailure(t *testing.T) {
	tus := func(status int, name, value string) reply {
		return reply{status, map[string]string{"Tus-Resumable": "1.0.0", name: value}, ""}
	}
	client, requests := serve(t,
		tus(201, "Location", "https://elsewhere.example/v1/uploads/upl_1"),
		reply{503, map[string]string{"Retry-After": "0"}, ""},
		reply{200, map[string]string{"Tus-Resumable": "1.0.0", "Upload-Length": "6", "Upload-Offset": "3"}, ""},
		tus(204, "Upload-Offset", "6"),
		success(`{"upload":{"id":"upl_1","status":"analysing"}}`),
	)
	var sent []int64
	params := beatmarket.UploadParams{PartBytes: 3, OnProgress: func(p beatmarket.UploadProgress) { sent = append(sent, p.Sent) }}
	upload, err := client.Uploads.Upload(t.Context(), bytes.NewReader([]byte("abcdef")), beatmarket.UploadKindAudio, params)
	if err != nil || upload.Status != beatmarket.UploadStatusAnalysing {
		t.Fatal(upload, err)
	}
	all := requests()
	if fmt.Sprint(sent) != "[0 3 6]" || len(all) != 5 || all[3].body != "def" {
		t.Error(sent, all)
	}
}

func TestARejectedUploadIsAnError(t *testing.T) {
	client, _ := serve(t, success(`{"upload":{"id":"upl_1","status":"rejected","rejection":"It is no audio."}}`))
	_, err := client.Uploads.Wait(t.Context(), "upl_1", 0)
	var rejected *beatmarket.UploadRejectedError
	if !errors.As(err, &rejected) || rejected.Upload.ID != "upl_1" || err.Error() != "It is no audio." {
		t.Error(err)
	}
}
