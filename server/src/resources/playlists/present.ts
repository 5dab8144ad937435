import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { Beat } from "../beats/beat.ts";
import { listedConsole, listedReference } from "../beats/present.ts";

export interface PlaylistWithBeats {
  playlist: Playlist;
  beats: readonly Beat[];
}

const playlistPath = (id: string): string => `/playlists/${id}`;

/** The fields of a playlist without its beats. */
const playlistFields = (playlist: Playlist, { publicUrl }: Pick<PresenterContext, "publicUrl">) => ({
  id: playlist.id,
  title: playlist.title,
  description: playlist.description,
  visibility: playlist.visibility,
  user_id: playlist.user_id,
  owner_name: playlist.owner_name,
  url: publicUrl + playlistPath(playlist.id),
  beats_count: playlist.beat_ids.length,
  created_at: timestamp(playlist.created_at),
  updated_at: timestamp(playlist.updated_at),
});

export const playlistsReference = (page: Page<Playlist>, context: PresenterContext) => ({
  playlists: page.items.map((playlist) => playlistFields(playlist, context)),
  pagination: referencePagination(page, context),
});

export const playlistsConsole = (page: Page<Playlist>, context: PresenterContext) => ({
  data: page.items.map((playlist) => playlistFields(playlist, context)),
  meta: consoleMeta(page),
});

export const playlistReference = ({ playlist, beats }: PlaylistWithBeats, context: PresenterContext) => ({
  playlist: {
    ...playlistFields(playlist, context),
    beats: beats.map((beat) => listedReference(beat, undefined, context)),
  },
});

export const playlistConsole = ({ playlist, beats }: PlaylistWithBeats, context: PresenterContext) => ({
  data: {
    ...playlistFields(playlist, context),
    beats: beats.map((beat) => listedConsole(beat, undefined, context)),
  },
});

export const visibilities = ["private", "public"] as const;

/** A list of beats in the owner's order. Everyone who has the id can read a public playlist. */
export interface Playlist {
  id: string;
  user_id: number;
  owner_name: string;
  title: string;
  description: string;
  visibility: (typeof visibilities)[number];
  created_at: Date;
  updated_at: Date;
  /** The beats that are on sale, in order. */
  beat_ids: number[];
}

export interface PlaylistFields {
  title: string;
  description?: string | undefined;
  visibility?: Playlist["visibility"] | undefined;
  beat_ids?: readonly number[] | undefined;
}

/** The maximum number of beats in a playlist. */
export const maxBeats = 200;

export const playlistIdPattern = /^pl_[A-Za-z0-9_-]{22}$/;
