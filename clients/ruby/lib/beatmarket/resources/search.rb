# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  # A page of what a search found: its beats, then its producers.
  class SearchPage < Page
    # @return [Array<Beat>]
    def beats = data.grep(Beat)

    # @return [Array<Producer>]
    def producers = data.grep(Producer)
  end

  # What a search found: a {List} of beats and producers. A walk visits each page's beats, then its producers.
  class SearchResults < List
    # @return [Array<Beat>] those of the first page
    def beats = first_page.beats

    # @return [Array<Producer>] those of the first page
    def producers = first_page.producers
  end

  module Resources
    # +client.search+. Permission +search:read+.
    #
    # @api private
    class Search < Resource
      # @param query [Hash]
      # @param max_items [Integer, nil]
      # @return [SearchResults]
      def run(query, max_items)
        types = { "beats" => Beat, "producers" => Producer }
        pages("search", types, query, max_items, list_type: SearchResults, page_type: SearchPage)
      end
    end
  end
end
