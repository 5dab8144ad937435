import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import {
  addBeat,
  changePlaylist,
  createPlaylist,
  deletePlaylist,
  findPlaylist,
  listPlaylists,
  removeBeat,
} from "./playlists.ts";
import {
  maxBeats,
  type Playlist,
  PlaylistBeatId,
  PlaylistChanges,
  PlaylistCreatedResponse,
  PlaylistFields,
  PlaylistId,
  PlaylistResponse,
  PlaylistsQuery,
  PlaylistsResponse,
  type PlaylistWithBeats,
  playlistConsole,
  playlistReference,
  playlistsConsole,
  playlistsReference,
} from "./present.ts";

/** A playlist in the demo catalogue of the contract tests. It belongs to the account of the tests' key. */
const examplePlaylist = "pl_0000000000000000000001";
const unknownPlaylist = "pl_9999999999999999999999";
const present = { reference: playlistReference, console: playlistConsole };

/** The operations on playlists (docs/api/favorites.md, Create a playlist). */
export const playlistRoutes = (beatsOn: (server: ReadServer) => BeatCatalogue) => {
  const withBeats = async (server: ReadServer, playlist: Playlist): Promise<PlaylistWithBeats> => ({
    playlist,
    beats: await beatsOn(server).listed(playlist.beat_ids),
  });
  return [
    route({
      operationId: "listPlaylists",
      client: "playlists.list",
      method: "GET",
      path: "/playlists",
      tag: "Favorites",
      summary: "List your playlists",
      description: "Returns the account's playlists, the newest first, one page at a time.",
      permission: "users:read",
      query: PlaylistsQuery,
      response: PlaylistsResponse,
      present: { reference: playlistsReference, console: playlistsConsole },
      examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { limit: 0 } } },
      handle: ({ db, caller, query }) => listPlaylists(db, { ...query, userId: caller.userId }),
    }),
    route({
      operationId: "createPlaylist",
      client: "playlists.create",
      method: "POST",
      path: "/playlists",
      tag: "Favorites",
      summary: "Create a playlist",
      description:
        "Creates a playlist, private by default. A repeated request with the same `Idempotency-Key` creates one playlist.",
      permission: "profile:write",
      body: PlaylistFields,
      response: PlaylistCreatedResponse,
      present,
      changesContent: () => false,
      idempotent: true,
      location: ({ playlist }) => `/playlists/${playlist.id}`,
      examples: {
        success: { body: { title: "Late drives", visibility: "public", beat_ids: [1, 2] } },
        invalid: { body: { title: "" } },
        conflict: {
          headers: { "idempotency-key": "an-earlier-purchase" },
          body: { title: "Late drives", beat_ids: [1, 2] },
        },
      },
      handle: async ({ db, server, clock, caller, body, idempotencyRun }) => {
        const request = { userId: caller.userId, run: idempotencyRun, fields: body, now: new Date(clock.nowMs()) };
        return withBeats(server, await createPlaylist(db, request));
      },
    }),
    route({
      operationId: "getPlaylist",
      client: "playlists.get",
      method: "GET",
      path: "/playlists/:playlist_id",
      tag: "Favorites",
      summary: "Get a playlist",
      description:
        "Returns one of the account's playlists, or a public playlist of another account, with its beats in order. Beats that are not on sale are omitted.",
      permission: "users:read",
      params: PlaylistId,
      response: PlaylistResponse,
      present,
      examples: {
        success: { parameters: { playlist_id: examplePlaylist } },
        invalid: { parameters: { playlist_id: "latest" } },
        missing: { parameters: { playlist_id: unknownPlaylist } },
      },
      handle: async ({ db, server, caller, params }) =>
        withBeats(server, await findPlaylist(db, params.playlist_id, caller.userId)),
    }),
    route({
      operationId: "updatePlaylist",
      client: "playlists.update",
      method: "PATCH",
      path: "/playlists/:playlist_id",
      tag: "Favorites",
      summary: "Change one of your playlists",
      description: "Changes the fields in the body. `beat_ids` replaces the beats that are on sale, and their order.",
      permission: "profile:write",
      params: PlaylistId,
      body: PlaylistChanges,
      response: PlaylistResponse,
      present,
      changesContent: () => false,
      conflict: `The playlist would have more than ${maxBeats} beats, with those off sale.`,
      examples: {
        success: { parameters: { playlist_id: examplePlaylist }, body: { title: "Later drives", beat_ids: [2, 1] } },
        invalid: { parameters: { playlist_id: examplePlaylist }, body: { beat_ids: [1, 1] } },
        missing: { parameters: { playlist_id: unknownPlaylist }, body: { title: "Later drives" } },
      },
      handle: async ({ db, server, clock, caller, params, body }) => {
        const request = { userId: caller.userId, id: params.playlist_id, fields: body, now: new Date(clock.nowMs()) };
        return withBeats(server, await changePlaylist(db, request));
      },
    }),
    route({
      operationId: "deletePlaylist",
      client: "playlists.delete",
      method: "DELETE",
      path: "/playlists/:playlist_id",
      tag: "Favorites",
      summary: "Delete one of your playlists",
      description: "Deletes the playlist and returns it as it was. Its beats stay in the catalogue.",
      permission: "profile:write",
      params: PlaylistId,
      response: PlaylistResponse,
      present,
      changesContent: () => false,
      examples: {
        success: { parameters: { playlist_id: examplePlaylist } },
        invalid: { parameters: { playlist_id: "latest" } },
        missing: { parameters: { playlist_id: unknownPlaylist } },
      },
      handle: async ({ db, server, caller, params }) =>
        withBeats(server, await deletePlaylist(db, caller.userId, params.playlist_id)),
    }),
    route({
      operationId: "addPlaylistBeat",
      client: "playlists.add_beat",
      method: "PUT",
      path: "/playlists/:playlist_id/beats/:beat_id",
      tag: "Favorites",
      summary: "Add a beat to one of your playlists",
      description: "Appends a beat to the playlist. A beat that is in the playlist already keeps its place.",
      permission: "profile:write",
      params: PlaylistBeatId,
      response: PlaylistResponse,
      present,
      changesContent: () => false,
      conflict: `The playlist has ${maxBeats} beats, the maximum.`,
      examples: {
        success: { parameters: { playlist_id: examplePlaylist, beat_id: 3 } },
        invalid: { parameters: { playlist_id: examplePlaylist, beat_id: "latest" } },
        missing: { parameters: { playlist_id: examplePlaylist, beat_id: 999999 } },
      },
      handle: async ({ db, server, clock, caller, params }) => {
        const { playlist_id: id, beat_id: beatId } = params;
        return withBeats(
          server,
          await addBeat(db, { userId: caller.userId, id, beatId, now: new Date(clock.nowMs()) }),
        );
      },
    }),
    route({
      operationId: "removePlaylistBeat",
      client: "playlists.remove_beat",
      method: "DELETE",
      path: "/playlists/:playlist_id/beats/:beat_id",
      tag: "Favorites",
      summary: "Remove a beat from one of your playlists",
      description: "Removes a beat from the playlist. It is no error if the beat is not in the playlist.",
      permission: "profile:write",
      params: PlaylistBeatId,
      response: PlaylistResponse,
      present,
      changesContent: () => false,
      examples: {
        success: { parameters: { playlist_id: examplePlaylist, beat_id: 1 } },
        invalid: { parameters: { playlist_id: examplePlaylist, beat_id: "latest" } },
        missing: { parameters: { playlist_id: unknownPlaylist, beat_id: 1 } },
      },
      handle: async ({ db, server, clock, caller, params }) => {
        const { playlist_id: id, beat_id: beatId } = params;
        return withBeats(
          server,
          await removeBeat(db, { userId: caller.userId, id, beatId, now: new Date(clock.nowMs()) }),
        );
      },
    }),
  ];
};
