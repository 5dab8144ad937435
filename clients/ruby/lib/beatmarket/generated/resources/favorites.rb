# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.favorites+. The favorite beats of the key's account.
    class Favorites < Resource
      # List your favorites. Returns the account's favorite beats that are on sale, the newest favorite first, one page
      # at a time. Needs the permission +users:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<Beat>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, max_items: nil)
        query = { page:, limit: }
        pages("listFavorites", { "beats" => Beat }, query, max_items)
      end

      # Add a favorite. Adds a beat on sale to the favorites. If the beat is a favorite already, its +created_at+ stays.
      # Needs the permission +profile:write+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @return [Favorite]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def add(beat_id)
        object(perform("addFavorite", "/users/me/favorites/#{@transport.segment(beat_id)}"), Favorite, "favorite", EMPTY)
      end

      # Remove a favorite. Removes a beat from the favorites. It is no error if the beat is not a favorite. Needs the
      # permission +profile:write+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @return [Favorite]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def remove(beat_id)
        object(perform("removeFavorite", "/users/me/favorites/#{@transport.segment(beat_id)}"), Favorite, "favorite", EMPTY)
      end
    end
  end
end
