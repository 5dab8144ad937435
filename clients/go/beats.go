package beatmarket

import (
	"context"
	"slices"
)

// ListDetails lists beats in the form of Get, as far as they are asked for: with IDs all of each beat, with Fields those
// fields alone.
func (s *BeatsService) ListDetails(ctx context.Context, params ListBeatsParams, options ...CallOption) (*Page[BeatDetail, ListBeatsExtra], error) {
	return pagesOf[BeatDetail, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).first(ctx)
}

const mostIDs = 100

// GetMany gets beats by their ids, in that order and in the form of Get, with a request for every 100. One that is given
// twice is returned once. It returns the ids that do not exist, too.
func (s *BeatsService) GetMany(ctx context.Context, beatIDs []int, options ...CallOption) (beats []BeatDetail, missing []int, err error) {
	for ids := range slices.Chunk(distinct(beatIDs), mostIDs) {
		page, err := s.ListDetails(ctx, ListBeatsParams{IDs: ids}, options...)
		if err != nil {
			return nil, nil, err
		}
		beats = append(beats, page.Data...)
		missing = append(missing, page.Extra.Missing...)
	}
	return beats, missing, nil
}

func distinct(ids []int) []int {
	known := make(map[int]bool, len(ids))
	return slices.DeleteFunc(slices.Clone(ids), func(id int) bool {
		isKnown := known[id]
		known[id] = true
		return isKnown
	})
}
