package beatmarket

import (
	"context"
	"slices"
)

// ListDetails lists beats in the form of Get. With IDs, it returns all fields of each beat; with Fields, only those
// fields.
func (s *BeatsService) ListDetails(ctx context.Context, params ListBeatsParams, options ...CallOption) (*Page[BeatDetail, ListBeatsExtra], error) {
	return pagesOf[BeatDetail, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).first(ctx)
}

const mostIDs = 100

// GetMany gets beats by their ids, in that order and in the form of Get, with one request per 100 ids. It returns a
// repeated id once. It also returns the ids that do not exist.
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
