# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.producers+. Permission +producers:read+.
    class Producers < Resource
      # The users who sell beats.
      #
      # @param page [Integer, nil] the page to begin at, from 1
      # @param limit [Integer, nil] producers per page, 1 to 100; 20 when absent
      # @param sort [String, Symbol, nil] popular (default), newest or name
      # @param max_items [Integer, nil] where a walk through the pages stops
      # @return [List<Producer>]
      # @raise [APIStatusError, APIConnectionError] when it is walked
      def list(page: nil, limit: nil, sort: nil, max_items: nil)
        pages("listProducers", { "producers" => Producer }, { page:, limit:, sort: }, max_items)
      end
    end
  end
end
