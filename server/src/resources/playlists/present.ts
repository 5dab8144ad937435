import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, pageParameters, ReferencePagination, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext, ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type Static } from "typebox";
import type { Beat } from "../beats/beat.ts";
import { listedConsole, listedReference } from "../beats/present.ts";
import { ConsoleBeat, ReferenceBeat } from "../beats/schema.ts";

const visibilities = ["private", "public"] as const;

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

/** The maximum number of beats in a playlist. */
export const maxBeats = 200;

export const playlistIdPattern = /^pl_[A-Za-z0-9_-]{22}$/;

const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });

export const PlaylistId = Type.Object({
  playlist_id: Type.String({
    pattern: playlistIdPattern.source,
    description: "Identifier of the playlist: `pl_` and 22 letters, digits, `-` or `_`.",
  }),
});
export const PlaylistBeatId = Type.Object({
  ...PlaylistId.properties,
  beat_id: Type.Integer({ description: "Identifier of the beat." }),
});

export const PlaylistsQuery = Type.Object(pageParameters(20, 100));

const title = Type.String({ minLength: 1, maxLength: 200 });
const description = Type.String({ maxLength: 2_000, "x-multiline": true });
const visibility = Type.Enum([...visibilities], {
  description: "Who can read the playlist. `private`: only the account. `public`: everyone who has its id.",
});
const beatIds = Type.Array(Type.Integer({ minimum: 1 }), {
  maxItems: maxBeats,
  description: "The beats, in order. Each is on sale, and appears once.",
});

export const PlaylistFields = Type.Object(
  {
    title,
    description: Type.Optional(description),
    visibility: Type.Optional(visibility),
    beat_ids: Type.Optional(beatIds),
  },
  { $id: "PlaylistFields" },
);
export type PlaylistFields = Static<typeof PlaylistFields>;

export const PlaylistChanges = Type.Object(
  {
    title: Type.Optional(title),
    description: Type.Optional(description),
    visibility: Type.Optional(visibility),
    beat_ids: Type.Optional(beatIds),
  },
  { $id: "PlaylistChanges" },
);

const fields = {
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  visibility,
  user_id: Type.Integer({ description: "The id of the owner." }),
  owner_name: Type.String(),
  url: Type.String({ format: "uri", description: "The address of the playlist's page." }),
  beats_count: Type.Integer({ minimum: 0, description: "The number of beats that are on sale." }),
  created_at: time,
  updated_at: time,
};

const Playlist = Type.Object(fields, {
  $id: "Playlist",
  description: "A list of beats in the order that its owner chose.",
});
const ReferencePlaylistDetail = Type.Object(
  { ...fields, beats: Type.Array(ReferenceBeat) },
  { $id: "PlaylistDetail", description: "A playlist with its beats." },
);
const ConsolePlaylistDetail = Type.Object(
  { ...fields, beats: Type.Array(ConsoleBeat) },
  { $id: "ConsolePlaylistDetail" },
);

export const PlaylistsResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ playlists: Type.Array(Playlist), pagination: ReferencePagination }),
  console: Type.Array(Playlist),
  meta: true,
};
const bodies = { reference: Type.Object({ playlist: ReferencePlaylistDetail }), console: ConsolePlaylistDetail };
export const PlaylistResponse: ResponseSchemas = { status: 200, ...bodies };
export const PlaylistCreatedResponse: ResponseSchemas = { status: 201, ...bodies };

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
