import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { Beat } from "../beats/beat.ts";
import { listedConsole, listedReference } from "../beats/present.ts";
import type { Playlist } from "./playlist.ts";

export interface PlaylistWithBeats {
  playlist: Playlist;
  beats: readonly Beat[];
}

const playlistPath = (id: string): string => `/playlists/${id}`;

/** Without the beats. */
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
