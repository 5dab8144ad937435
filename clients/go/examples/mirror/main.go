// Keeps a mirror of the catalogue in a folder, as a file with one beat per line: go run . mirror. It may be stopped at any
// moment and started again. -once ends it when no change is waiting. -pause 90 waits 90 seconds between calls once it
// is up to date, for a plan with few calls a day. Each change rewrites the file: a large catalogue that changes all the
// time belongs in a database.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"beatmarket.example/beatmarket"
)

const fullPage = 1000

func main() {
	once := flag.Bool("once", false, "end when no change is waiting")
	pause := flag.Int("pause", 0, "`seconds` between calls once the mirror is up to date")
	flag.Parse()
	folder := "mirror"
	if flag.NArg() > 0 {
		folder = flag.Arg(0)
	}
	m := mirror{folder: folder}
	if err := m.run(context.Background(), *once, time.Duration(*pause)*time.Second); err != nil {
		fmt.Fprintln(os.Stderr, "no mirror:", err)
		os.Exit(1)
	}
	fmt.Println(len(m.beats), "beats")
}

// mirror is the catalogue at a position: the beats by their ids; nil before the first export.
type mirror struct {
	folder   string
	position int
	beats    map[int]json.RawMessage
}

func (m *mirror) run(ctx context.Context, once bool, pause time.Duration) error {
	client, err := beatmarket.New()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(m.folder, 0o755); err != nil {
		return err
	}
	if err := m.load(); err != nil {
		return err
	}
	for {
		if m.beats == nil {
			if err := m.export(ctx, client); err != nil {
				return err
			}
		}
		var gone *beatmarket.GoneError
		if err := m.follow(ctx, client, once, pause); !errors.As(err, &gone) {
			return err
		}
		m.beats = nil // Away for more than 30 days: take a new export.
	}
}

func (m *mirror) export(ctx context.Context, client *beatmarket.Client) error {
	export, err := client.Exports.Beats(ctx, filepath.Join(m.folder, "export.ndjson.gz"))
	if err != nil {
		return err
	}
	m.beats = map[int]json.RawMessage{}
	for beat, err := range export.All() {
		if err != nil {
			return err
		}
		m.beats[beat.ID] = beat.RawJSON()
	}
	return m.save(export.Position)
}

func (m *mirror) follow(ctx context.Context, client *beatmarket.Client, once bool, pause time.Duration) error {
	params := beatmarket.ListChangesParams{After: beatmarket.Some(m.position), Limit: beatmarket.Some(fullPage)}
	if once {
		params.Wait = beatmarket.Some(0)
	}
	for page, err := range client.Changes.Follow(ctx, params) {
		if err != nil {
			return err
		}
		for _, change := range page.Changes {
			if change.Beat == nil || change.Type == beatmarket.ChangeTypeSold || change.Type == beatmarket.ChangeTypeWithdrawn {
				delete(m.beats, change.BeatID)
			} else {
				m.beats[change.BeatID] = change.Beat.RawJSON()
			}
		}
		if err := m.save(page.Next); err != nil {
			return err
		}
		if once && len(page.Changes) == 0 {
			return nil
		}
		if len(page.Changes) < fullPage {
			time.Sleep(pause)
		}
	}
	return nil
}

// save writes the state. The file name contains the position, so both change together when the file is renamed.
func (m *mirror) save(position int) error {
	file := filepath.Join(m.folder, fmt.Sprintf("beats-%d.ndjson", position))
	if _, err := os.Stat(file); err == nil && position == m.position {
		return nil // Nothing has changed.
	}
	var lines bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(m.beats)) {
		fmt.Fprintf(&lines, "%s\n", m.beats[id])
	}
	draft := filepath.Join(m.folder, "draft")
	if err := os.WriteFile(draft, lines.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.Rename(draft, file); err != nil {
		return err
	}
	m.position = position
	return m.eachState(func(state string, _ int) error {
		if state == file {
			return nil
		}
		return os.Remove(state)
	})
}

// load reads the newest state, if there is one.
func (m *mirror) load() error {
	newest := ""
	err := m.eachState(func(state string, position int) error {
		if newest == "" || position > m.position {
			newest, m.position = state, position
		}
		return nil
	})
	if err != nil || newest == "" {
		return err
	}
	text, err := os.ReadFile(newest)
	if err != nil {
		return err
	}
	m.beats = map[int]json.RawMessage{}
	for line := range bytes.Lines(text) {
		var beat struct{ ID int }
		if err := json.Unmarshal(line, &beat); err != nil {
			return fmt.Errorf("%s: %w", newest, err)
		}
		m.beats[beat.ID] = bytes.TrimSpace(line)
	}
	return nil
}

func (m *mirror) eachState(visit func(file string, position int) error) error {
	files, err := filepath.Glob(filepath.Join(m.folder, "beats-*.ndjson"))
	if err != nil {
		return err
	}
	for _, file := range files {
		var position int
		if _, err := fmt.Sscanf(filepath.Base(file), "beats-%d.ndjson", &position); err != nil {
			continue
		}
		if err := visit(file, position); err != nil {
			return err
		}
	}
	return nil
}
