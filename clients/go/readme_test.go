package beatmarket_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var programs = regexp.MustCompile("(?s)```go (\\S+)\n(.*?)```")

// The programs of the README compile unchanged in a separate module, and its tests pass. With BEATMARKET_TEST_BASE_URL,
// those that end by themselves run against that service.
func TestTheProgramsOfTheREADMECompileAndItsTestsPass(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	found := programs.FindAllStringSubmatch(string(readme), -1)
	if len(found) < 5 {
		t.Fatalf("the README has %d programs", len(found))
	}
	module := t.TempDir()
	run := func(t *testing.T, args ...string) string {
		t.Helper()
		command := exec.Command("go", args...)
		command.Dir, command.Env = module, append(os.Environ(), service()...)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, output)
		}
		return string(output)
	}
	run(t, "mod", "init", "beats")
	run(t, "mod", "edit", "-require=beatmarket.example/beatmarket@v0.1.0", "-replace=beatmarket.example/beatmarket="+here)
	for _, program := range found {
		folder := filepath.Join(module, folderOf(program[1]))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, program[1]), []byte(program[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "vet", "./...")
	if output := run(t, "test", "./beats_test"); !strings.HasPrefix(output, "ok") {
		t.Error(output)
	}
	if os.Getenv("BEATMARKET_TEST_BASE_URL") == "" {
		return
	}
	for _, program := range found {
		if strings.HasSuffix(program[1], "_test.go") || strings.Contains(program[2], "ListenAndServe") {
			continue
		}
		if output := run(t, "run", "./"+folderOf(program[1])); output == "" {
			t.Errorf("%s prints nothing", program[1])
		}
	}
}

func folderOf(file string) string { return strings.TrimSuffix(file, ".go") }

// service returns the settings of a program for the service of the tests.
func service() (settings []string) {
	for _, name := range []string{"BASE_URL", "API_KEY", "CA_FILE"} {
		settings = append(settings, "BEATMARKET_"+name+"="+os.Getenv("BEATMARKET_TEST_"+name))
	}
	return settings
}
