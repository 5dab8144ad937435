// Command with creates a client of this package, to measure the start of such a process.
package main

import (
	"os"

	"beatmarket.example/beatmarket"
)

func main() {
	if _, err := beatmarket.New(beatmarket.WithAPIKey("bm_1"), beatmarket.WithCAFile("")); err != nil {
		os.Exit(1)
	}
}
