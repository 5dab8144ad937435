import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The catalogues with a list of queries: an extract, the queries, and the mapping of the whole file. */
export const catalogues = ["playlist_songs", "gathered_tracks"].map((name, at) => ({
  name,
  extract: path(`lists/${name}.csv`),
  queries: path(`lists/${name}.txt`),
  mapping: path(`../../../mappings/${["spotify_songs", "tracks_231k"][at]}.json`),
}));
