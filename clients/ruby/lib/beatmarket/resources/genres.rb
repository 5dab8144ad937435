# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.genres+. Needs the permission +genres:read+.
    class Genres < Resource
      # Lists all genres, by name.
      #
      # @return [Collection<Genre>]
      # @raise [APIStatusError, APIConnectionError]
      def list
        response = perform("listGenres")
        Collection.new(Genre.list(response.member("genres", Array)), response)
      end
    end
  end
end
