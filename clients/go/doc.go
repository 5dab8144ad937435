// Package beatmarket is a client of the Beat Marketplace API. It authenticates, retries temporary failures,
// follows pagination, returns typed errors, and resumes uploads and downloads. It needs the standard library only.
//
//	client, err := beatmarket.New()
//	for beat, err := range client.Beats.ListAll(ctx, beatmarket.ListBeatsParams{Sort: beatmarket.BeatSortPopular}) {
//		…
//	}
//
// Package webhooks verifies what the service delivers.
package beatmarket
