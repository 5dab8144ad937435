# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.producers+. Users who sell beats.
    class Producers < Resource
      # List producers. Returns all producers with their genres and plays, one page at a time. Needs the permission
      # +producers:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param sort [String, Symbol, nil] The order of the list. Every order ends with the id, so pages never overlap.
      #   One of +popular+, +newest+, +name+. Default: popular.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<Producer>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, sort: nil, max_items: nil)
        query = { page:, limit:, sort: }
        pages("listProducers", { "producers" => Producer }, query, max_items)
      end
    end
  end
end
