import { pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type Static } from "typebox";
import { ConsoleBeat, ReferenceBeat } from "../beats/schema.ts";
import { maxBeats, playlistIdPattern, visibilities } from "./present.ts";

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
