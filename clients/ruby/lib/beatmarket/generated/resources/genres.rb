# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.genres+. The genres of the catalogue.
    class Genres < Resource
      # List genres. Returns all genres by name, with the number of beats on sale in each. Needs the permission
      # +genres:read+.
      #
      # @return [Collection<Genre>]
      # @raise [APIStatusError, APIConnectionError]
      def list
        array(perform("listGenres"), Genre, "genres")
      end
    end
  end
end
