import { fileURLToPath } from "node:url";
import { type FileCatalogue, readCatalogue, readDemoCatalogue } from "./catalogue-file.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

interface JudgedCatalogue {
  name: string;
  queries: string;
  /** The minimum share of the list that must be right. */
  least: number;
  /** Reads the whole catalogue of a file, or else the extract next to the list. */
  read(file?: string): Promise<FileCatalogue>;
}

const ofFile = (name: string, mapping: string): JudgedCatalogue => ({
  name,
  queries: path(`lists/${name}.txt`),
  least: 0.97,
  read: (file = path(`lists/${name}.csv`)) => readCatalogue(file, path(`../../../mappings/${mapping}.json`)),
});

/** The catalogues with a list of queries: two real ones, and the demo catalogue with queries that artists type. */
export const catalogues: readonly JudgedCatalogue[] = [
  ofFile("playlist_songs", "spotify_songs"),
  ofFile("gathered_tracks", "tracks_231k"),
  { name: "demo_beats", queries: path("lists/demo_beats.txt"), least: 0.93, read: async () => readDemoCatalogue() },
];
