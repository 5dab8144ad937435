# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../list"
require_relative "models"

module BeatMarket
  # A page of {BeatList}.
  class BeatPage < Page
    # @return [Facets, nil] The numbers of beats by value. Only with +facets+.
    def facets = Facets.from(response.optional("facets"))

    # @return [Array<Integer>, nil] With +ids+: the ids without a public beat.
    def missing = response.optional("missing")
  end

  # List beats: a {List} with the additional fields of its first page.
  class BeatList < List
    # @return [Facets, nil] The numbers of beats by value. Only with +facets+.
    def facets = first_page.facets

    # @return [Array<Integer>, nil] With +ids+: the ids without a public beat.
    def missing = first_page.missing
  end

  # A page of {SearchResults}.
  class SearchPage < Page
    # @return [Array<Beat>]
    def beats = part("beats")

    # @return [Array<Producer>]
    def producers = part("producers")

    # @return [SearchTotals] The number of results of each type.
    def totals = SearchTotals.from(response.optional("totals"))

    # @return [Interpretation, nil] How the service read +q+: the words that it searched, and the filters that it
    #   recognised, named like the parameters. Absent with <tt>interpret=false</tt>.
    def interpreted = Interpretation.from(response.optional("interpreted"))

    # @return [Facets, nil] The numbers of beats by value. Only with +facets+.
    def facets = Facets.from(response.optional("facets"))
  end

  # Search beats and producers: a {List} with the additional fields of its first page.
  class SearchResults < List
    # @return [Array<Beat>] of the first page
    def beats = first_page.beats

    # @return [Array<Producer>] of the first page
    def producers = first_page.producers

    # @return [SearchTotals] The number of results of each type.
    def totals = first_page.totals

    # @return [Interpretation, nil] How the service read +q+: the words that it searched, and the filters that it
    #   recognised, named like the parameters. Absent with <tt>interpret=false</tt>.
    def interpreted = first_page.interpreted

    # @return [Facets, nil] The numbers of beats by value. Only with +facets+.
    def facets = first_page.facets
  end

  # A page of {UploadList}.
  class UploadPage < Page
    # @return [StorageUse] The storage that the account's files use, and the limit.
    def storage = StorageUse.from(response.optional("storage"))
  end

  # List your uploads: a {List} with the additional fields of its first page.
  class UploadList < List
    # @return [StorageUse] The storage that the account's files use, and the limit.
    def storage = first_page.storage
  end

  # A page of changes, in the order of commits.
  class ChangePage < PositionPage
    # @return [Array<Change>] frozen
    alias changes data
  end

  # A page of events, in the order of commits.
  class EventPage < PositionPage
    # @return [Array<Event>] frozen
    alias events data
  end
end
