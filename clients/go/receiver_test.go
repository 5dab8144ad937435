package beatmarket_test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"beatmarket.example/beatmarket/webhooks"
)

// The other examples run in clients/conformance.
func TestTheExampleReceiverAcceptsOnlyValidRequestsAndPrintsEachEventOnce(t *testing.T) {
	program := filepath.Join(t.TempDir(), "receiver")
	if output, err := exec.Command("go", "build", "-o", program, "./examples/receiver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	secret := "whsec_cmVjZWl2ZXI="
	receiver := exec.Command(program)
	receiver.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret, "PORT=0")
	stdout, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = receiver.Process.Kill()
		_ = receiver.Wait()
	})
	lines := bufio.NewScanner(stdout)
	line := func() string {
		if !lines.Scan() {
			t.Fatal("the receiver has ended")
		}
		return lines.Text()
	}
	address := strings.TrimPrefix(line(), "listening at ")
	send := func(id string, at time.Time, more string) int {
		body := fmt.Sprintf(`{"id":%q,"created":1,"type":"beat.purchased","data":{"title":"Café 🎵 / Übung"}}`, id)
		header, err := webhooks.Sign([]byte(body), secret, at)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body+more))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	now := time.Now()
	statuses := []int{send("evt_1", now, ""), send("evt_1", now, ""), send("evt_2", now, ""), send("evt_3", now, " "), send("evt_3", now.Add(-time.Hour), "")}
	if !slices.Equal(statuses, []int{200, 200, 200, 401, 401}) {
		t.Error(statuses)
	}
	if received := []string{line(), line()}; !slices.Equal(received, []string{"beat.purchased evt_1", "beat.purchased evt_2"}) {
		t.Error(received)
	}
}
