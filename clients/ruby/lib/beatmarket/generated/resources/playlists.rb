# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.playlists+. Lists of beats: your own, and public ones.
    class Playlists < Resource
      # List your playlists. The account's playlists, the newest first, one page at a time. Needs the permission
      # +users:read+.
      #
      # @param page [Integer, nil] Page number, from 1.
      # @param limit [Integer, nil] Results per page. 1 to 100. Default: 20.
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
      # @param visibility [String, Symbol, nil] +private+: only for the account. +public+: for everyone who has its id.
      # @param beat_ids [Array<Integer>, nil] Its beats, in order; each once, and on sale.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [PlaylistDetail]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(title:, description: nil, visibility: nil, beat_ids: nil, idempotency_key: nil)
        fields = { title:, description:, visibility:, beat_ids: }
        object(perform("createPlaylist", body: fields.compact, idempotency_key:), PlaylistDetail, "playlist", EMPTY)
      end

      # Get a playlist. One of the account's playlists, or a public playlist of another account, with its beats in
      # order. Beats that are not on sale are left out. Needs the permission +users:read+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(playlist_id)
        object(perform("getPlaylist", "/playlists/#{@transport.segment(playlist_id)}"), PlaylistDetail, "playlist")
      end

      # Change one of your playlists. Changes the fields of the body. +beat_ids+ sets the order of all its beats. Needs
      # the permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @param title [String]
      # @param description [String]
      # @param visibility [String, Symbol] +private+: only for the account. +public+: for everyone who has its id.
      # @param beat_ids [Array<Integer>] Its beats, in order; each once, and on sale.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def update(playlist_id, title: UNCHANGED, description: UNCHANGED, visibility: UNCHANGED, beat_ids: UNCHANGED)
        fields = { title:, description:, visibility:, beat_ids: }
        object(perform("updatePlaylist", "/playlists/#{@transport.segment(playlist_id)}", body: given(fields)), PlaylistDetail, "playlist", EMPTY)
      end

      # Delete one of your playlists. Deletes the playlist, and returns it as it was. Its beats stay. Needs the
      # permission +profile:write+.
      #
      # @param playlist_id [String] Identifier of the playlist: +pl_+ and 22 letters, digits, <tt>-</tt> or +_+.
      # @return [PlaylistDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def delete(playlist_id)
        object(perform("deletePlaylist", "/playlists/#{@transport.segment(playlist_id)}"), PlaylistDetail, "playlist", EMPTY)
      end

      # Add a beat to one of your playlists. Appends a beat. A beat that is in the playlist keeps its place. Needs the
      # permission +profile:write+.
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

      # Remove a beat from one of your playlists. Removes a beat. A beat that is not in the playlist is no error. Needs
      # the permission +profile:write+.
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
