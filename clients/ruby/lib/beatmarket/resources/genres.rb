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
        Collection.new(response.records("genres").map { |fields| Genre.new(fields) }, response)
      end
    end
  end
end
