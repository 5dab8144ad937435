// Command bench measures the client against bare net/http in one run; clients/conformance/README.md explains the numbers.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"beatmarket.example/beatmarket"
)

const (
	calls, warmUp     = 600, 200
	items, firstItems = 100_000, 10_000
	starts            = 7
)

func main() {
	log.SetFlags(0)
	client, err := beatmarket.New()
	check(err)
	result := map[string]float64{}
	measureStarts(result)
	measureCalls(client, result)
	result["growth_kb"] = growth(client)
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// measureStarts adds medians of new processes, alternating: the time of a program that does nothing, and the additional
// time of a client of net/http and of this client.
func measureStarts(result map[string]float64) {
	folder, err := os.MkdirTemp("", "beatmarket-bench-")
	check(err)
	defer os.RemoveAll(folder)
	names := []string{"idle", "bare", "with"}
	taken := map[string][]float64{}
	for _, name := range names {
		build := exec.Command("go", "build", "-o", filepath.Join(folder, name), "beatmarket.example/beatmarket/bench/"+name)
		build.Stderr = os.Stderr
		check(build.Run())
	}
	for range starts {
		for _, name := range names {
			start := time.Now()
			check(exec.Command(filepath.Join(folder, name)).Run())
			taken[name] = append(taken[name], milliseconds(time.Since(start)))
		}
	}
	idle := median(taken["idle"])
	result["idle_ms"], result["http_import_ms"], result["import_ms"] = idle, median(taken["bare"])-idle, median(taken["with"])-idle
}

// side is one of the two compared clients.
type side struct {
	durations []float64
	cpu       time.Duration
}

func (s *side) measure(call func() error) {
	start, before := time.Now(), cpuTime()
	check(call())
	s.durations, s.cpu = append(s.durations, milliseconds(time.Since(start))), s.cpu+cpuTime()-before
}

func measureCalls(client *beatmarket.Client, result map[string]float64) {
	ctx := context.Background()
	ours := func() error {
		_, err := client.Beats.Get(ctx, 1)
		return err
	}
	bare := bareCall()
	var own, other side
	for index := range warmUp + calls {
		if index == warmUp {
			own, other = side{}, side{}
		}
		own.measure(ours)
		other.measure(bare)
	}
	result["call_ms"], result["bare_ms"] = median(own.durations), median(other.durations)
	result["call_cpu_ms"], result["bare_cpu_ms"] = milliseconds(own.cpu)/calls, milliseconds(other.cpu)/calls
}

// bareCall is the same call written by hand with net/http and encoding/json: a time limit, the status, and the fields of a beat.
func bareCall() func() error {
	pem, err := os.ReadFile(os.Getenv("BEATMARKET_CA_FILE"))
	check(err)
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(pem)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	return func() error {
		request, err := http.NewRequest(http.MethodGet, os.Getenv("BEATMARKET_BASE_URL")+"/beats/1", nil)
		check(err)
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BEATMARKET_API_KEY"))
		request.Header.Set("Accept", "application/json")
		response, err := client.Do(request)
		check(err)
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("the bare call got %s", response.Status)
		}
		body, err := io.ReadAll(response.Body)
		check(err)
		var envelope struct{ Data struct{ Beat beat } }
		return json.Unmarshal(body, &envelope)
	}
}

// beat is a hand-written type with the fields of the responses in this measurement.
type beat struct {
	ID           int    `json:"id"`
	Title        string `json:"title"`
	UserID       int    `json:"user_id"`
	ProducerName string `json:"producer_name"`
	Genre        struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	} `json:"genre"`
	Price         float64   `json:"price"`
	Duration      int       `json:"duration"`
	BPM           int       `json:"bpm"`
	Key           string    `json:"key"`
	AudioURL      string    `json:"audio_url"`
	CoverImage    string    `json:"cover_image"`
	CreatedAt     time.Time `json:"created_at"`
	PlayCount     int       `json:"play_count"`
	DownloadCount int       `json:"download_count"`
	Description   string    `json:"description"`
	Tags          []string  `json:"tags"`
	Licenses      []struct {
		Type      string  `json:"type"`
		Price     float64 `json:"price"`
		Available bool    `json:"available"`
	} `json:"licenses"`
	UpdatedAt   time.Time `json:"updated_at"`
	WaveformURL *string   `json:"waveform_url"`
	Analysis    *struct {
		BPM float64 `json:"bpm"`
		Key string  `json:"key"`
	} `json:"analysis"`
}

// growth is the memory in use after an iteration, minus the memory in use after its first items.
func growth(client *beatmarket.Client) float64 {
	params := beatmarket.ListBeatsParams{Limit: beatmarket.Some(100), MaxItems: beatmarket.Some(items)}
	seen, before := 0, 0.0
	for _, err := range client.Beats.ListAll(context.Background(), params) {
		check(err)
		if seen++; seen == firstItems {
			before = inUse()
		}
	}
	if seen != items {
		check(fmt.Errorf("there are only %d beats", seen))
	}
	return inUse() - before
}

func inUse() float64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc) / 1_024
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(duration time.Duration) float64 { return float64(duration.Nanoseconds()) / 1e6 }

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
