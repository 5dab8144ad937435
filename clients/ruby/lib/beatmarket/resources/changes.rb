# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  # A page of changes, in the order of commits.
  class ChangePage < Collection
    # @return [Integer] the position to go on from
    attr_reader :next

    # @return [Array<Change>] frozen
    alias changes data

    # @param response [Response]
    # @raise [APIStatusError] if the response is not a page of changes
    # @api private
    def initialize(response)
      super(Change.list(response.member("changes", Array)), response)
      @next = response.optional("next")
    end

    # @return [Integer] {#next}
    # @raise [APIStatusError] if there is none: a follower would begin again
    # @api private
    def position = self.next.is_a?(Integer) ? self.next : raise(response.fault("The response has no position to go on from"))
  end

  module Resources
    # +client.changes+: the changes of the catalogue in the order of commits, which keep a copy of it true. Needs the
    # permission +beats:read+.
    class Changes < Resource
      # Lists the changes behind a position.
      #
      # @param after [Integer, nil] the +next+ of the last page, or the position of an export; nil for the oldest that is kept
      # @param limit [Integer, nil] changes per page, 1 to 1,000; 100 by default
      # @param wait [Integer, nil] seconds that the service waits for a first change, 0 (default) to 30; extends the timeout
      # @return [ChangePage]
      # @raise [GoneError] if the changes behind +after+ are no longer kept: take an export
      # @raise [APIStatusError, APIConnectionError]
      def list(after: nil, limit: nil, wait: nil)
        page({ after:, limit:, wait: }, @transport.settings)
      end

      # Follows the changes behind a position, page by page and without end: store +next+ with what a page brings.
      #
      # A page without changes says that there were none for +wait+ seconds, so a loop can end there. Temporary failures
      # (rate limits, restarts of the service, lost connections) are waited out once a first page has come.
      #
      # @param after [Integer, nil] as for {#list}
      # @param limit [Integer] changes per page, 1 to 1,000
      # @param wait [Integer] seconds that the service waits for a first change, 0 to 30
      # @yieldparam page [ChangePage]
      # @return [Enumerator] without a block
      # @raise [GoneError] if the changes behind the position are no longer kept: take an export
      # @raise [APIStatusError, APIConnectionError]
      def follow(after: nil, limit: 1000, wait: 30)
        return to_enum(:follow, after:, limit:, wait:) unless block_given?

        is_first = true
        loop do
          page = page({ after:, limit:, wait: }, @transport.settings.following(is_first))
          yield page
          after = page.position
          is_first = false
        end
      end

      private

      def page(query, settings)
        ChangePage.new(perform("listChanges", query: query, settings: settings.waiting(query[:wait])))
      end
    end
  end
end
