# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.producers+. Needs the permission +producers:read+.
    class Producers < Resource
      # Lists users who sell beats.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] producers per page, 1 to 100; 20 by default
      # @param sort [String, Symbol, nil] popular (default), newest or name
      # @param max_items [Integer, nil] maximum number of producers in an iteration
      # @return [List<Producer>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, sort: nil, max_items: nil)
        pages("listProducers", { "producers" => Producer }, { page:, limit:, sort: }, max_items)
      end
    end
  end
end
