import { fileURLToPath } from "node:url";
import { type FileCatalogue, readCatalogue, readDemoCatalogue } from "./catalogue-file.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

interface JudgedCatalogue {
  name: string;
  /** The path of the list of queries. */
  queriesFile: string;
  /** The minimum share of the queries that find the intended hit. */
  minShare: number;
  /** Reads a catalogue from `file`; without it, the extract next to the list of queries. */
  read(file?: string): Promise<FileCatalogue>;
}

const ofFile = (name: string, mapping: string): JudgedCatalogue => ({
  name,
  queriesFile: path(`lists/${name}.txt`),
  minShare: 0.97,
  read: (file = path(`lists/${name}.csv`)) => readCatalogue(file, path(`../../../mappings/${mapping}.json`)),
});

/**
 * The catalogues with a list of queries: two real catalogues, and the demo catalogue with queries that artists type.
 */
export const catalogues: readonly JudgedCatalogue[] = [
  ofFile("playlist_songs", "spotify_songs"),
  ofFile("gathered_tracks", "tracks_231k"),
  {
    name: "demo_beats",
    queriesFile: path("lists/demo_beats.txt"),
    minShare: 0.93,
    read: async () => readDemoCatalogue(),
  },
];
