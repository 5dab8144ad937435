/** One row of a catalogue file, as text, in the columns that mappings/tracks_231k.json reads. */
export interface Row {
  source: string;
  source_id: string;
  title: string;
  artist: string;
  genre: string;
  tempo: string;
  key: string;
  mode: string;
  duration: string;
  duration_unit: string;
  popularity: string;
  release_date: string;
  play_count: string;
  price: string;
}
