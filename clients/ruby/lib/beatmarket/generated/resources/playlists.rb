# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.playlists+. Lists of beats: your own, and public ones.
    class Playlists < Resource
      # List your playlists. Returns the account's playlists, the newest first, one page at a time. Needs the permission
      # +users:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<Playlist>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, max_items: nil)
        query = { page:, limit: }
        pages("listPlaylists", { "playlists" => Playlist }, query, max_items)
      end

      # Create a playlist. Creates a playlist, private by default. A repeated request with the same
      # <tt>Idempotency-Key</tt> creates one playlist. Needs the permission +profile:write+.
      #
      # @param title [String]
      # @param description [String, nil]
      # @param visibility [String, Symbol, nil] Who can read the playlist. +private+: only the account. +public+:
      #   everyone who has its id.
      # @param beat_ids [Array<Integer>, nil] The beats, in order. Each is on sale, and appears once.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [PlaylistDetail]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(title:, description: nil, visibility: nil, beat_ids: nil, idempotency_key: nil)
        fields = { title:, description:, visibility:, beat_ids: }
        object(perform("createPlaylist", body: fields.compact, idempotency_key:), PlaylistDetail, "playlist", EMPTY)
      end

      # Get a playlist. Returns one of the account's playlists, or a public playlist of another account, with its beats
      # in order. Beats that are not on sale are omitted. Needs the permission +users:read+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(playlist_id)
        object(perform("getPlaylist", "/playlists/#{@transport.segment(playlist_id)}"), PlaylistDetail, "playlist")
      end

      # Change one of your playlists. Changes the fields in the body. +beat_ids+ replaces the beats that are on sale,
      # and their order. Needs the permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @param title [String]
      # @param description [String]
      # @param visibility [String, Symbol] Who can read the playlist. +private+: only the account. +public+: everyone
      #   who has its id.
      # @param beat_ids [Array<Integer>] The beats, in order. Each is on sale, and appears once.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def update(playlist_id, title: UNCHANGED, description: UNCHANGED, visibility: UNCHANGED, beat_ids: UNCHANGED)
        fields = { title:, description:, visibility:, beat_ids: }
        object(perform("updatePlaylist", "/playlists/#{@transport.segment(playlist_id)}", body: given(fields)), PlaylistDetail, "playlist", EMPTY)
      end

      # Delete one of your playlists. Deletes the playlist and returns it as it was. Its beats stay in the catalogue.
      # Needs the permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def delete(playlist_id)
        object(perform("deletePlaylist", "/playlists/#{@transport.segment(playlist_id)}"), PlaylistDetail, "playlist", EMPTY)
      end

      # Add a beat to one of your playlists. Appends a beat to the playlist. A beat that is in the playlist already
      # keeps its place. Needs the permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @param beat_id [Integer, String] Identifier of the beat.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def add_beat(playlist_id, beat_id)
        object(perform("addPlaylistBeat", "/playlists/#{@transport.segment(playlist_id)}/beats/#{@transport.segment(beat_id)}"), PlaylistDetail, "playlist", EMPTY)
      end

      # Remove a beat from one of your playlists. Removes a beat from the playlist. It is no error if the beat is not in
      # the playlist. Needs the permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @param beat_id [Integer, String] Identifier of the beat.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def remove_beat(playlist_id, beat_id)
        object(perform("removePlaylistBeat", "/playlists/#{@transport.segment(playlist_id)}/beats/#{@transport.segment(beat_id)}"), PlaylistDetail, "playlist", EMPTY)
      end
    end
  end
end
