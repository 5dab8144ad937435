// Finds three beats that mix with one: go run . 17. With -tolerance 6, tempos may differ by 6 percent.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"

	"beatmarket.example/beatmarket"
)

func main() {
	// Listeners do not notice such a change of tempo.
	tolerance := flag.Float64("tolerance", 4, "`percent` by which tempos may differ")
	flag.Parse()
	id := 1
	if flag.NArg() > 0 {
		var err error
		if id, err = strconv.Atoi(flag.Arg(0)); err != nil {
			fmt.Fprintf(os.Stderr, "%q is not an id; usage: mixing [-tolerance percent] [beat id]\n", flag.Arg(0))
			os.Exit(2)
		}
	}
	if err := mixing(context.Background(), id, *tolerance); err != nil {
		fmt.Fprintln(os.Stderr, "no beats:", err)
		os.Exit(1)
	}
}

func mixing(ctx context.Context, id int, tolerance float64) error {
	client, err := beatmarket.New()
	if err != nil {
		return err
	}
	playing, err := client.Beats.Get(ctx, id)
	if err != nil {
		return err
	}
	fmt.Println("playing:", playing.ID, playing.BPM, "bpm", playing.Key)
	beats := client.Beats.ListAll(ctx, beatmarket.ListBeatsParams{
		KeyCompatible: playing.Key, // If the key of the playing beat is unknown, the filter is off.
		BPM:           beatmarket.Some(playing.BPM),
		BPMTolerance:  beatmarket.Some(tolerance),
		HalfDouble:    beatmarket.Some(true),
		Sort:          beatmarket.BeatSortPopular,
		MaxItems:      beatmarket.Some(4),
	})
	shown := 0
	for beat, err := range beats {
		if err != nil {
			return err
		}
		if beat.ID != playing.ID && shown < 3 {
			shown++
			fmt.Println(beat.ID, beat.BPM, "bpm", beat.Key, beat.Title)
		}
	}
	return nil
}
