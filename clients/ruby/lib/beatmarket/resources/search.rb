# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  # A page of search results: its beats, then its producers.
  class SearchPage < Page
    # @return [SearchTotals] all results, by type
    attr_reader :totals
    # @return [Interpretation, nil] what was understood of the query; nil with +interpret: false+
    attr_reader :interpreted
    # @return [Facets, nil] how many of all beats have each value; nil without +facets+
    attr_reader :facets

    # @api private
    def initialize(source, response)
      super
      @facets = Facets.from(response.optional("facets"))
      @totals = SearchTotals.from(response.optional("totals"))
      @interpreted = Interpretation.from(response.optional("interpreted"))
    end

    # @return [Array<Beat>]
    def beats = part("beats")

    # @return [Array<Producer>]
    def producers = part("producers")
  end

  # Search results: a {List} that iterates over each page's beats, then its producers.
  class SearchResults < List
    # @return [Array<Beat>] the ones of the first page
    def beats = part("beats")

    # @return [Array<Producer>] the ones of the first page
    def producers = part("producers")

    # @return [SearchTotals] all results, by type
    def totals = first_page.totals

    # @return [Interpretation, nil] what was understood of the query; nil with +interpret: false+
    def interpreted = first_page.interpreted

    # @return [Facets, nil] how many of all beats have each value; nil without +facets+
    def facets = first_page.facets
  end

  module Resources
    # +client.search+. Needs the permission +search:read+.
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
