# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.changes+. What changes in the catalogue, in the order of commits.
    class Changes < Resource
      # List changes of the catalogue. Returns every change of a listed beat, in the order of commits, without gaps and
      # repetitions. With it a program keeps a copy of the catalogue up to date. Begin with an export, then pass +next+
      # as +after+; with +wait+, the response is sent as soon as something changes. Changes are stored for 30 days.
      # Needs the permission +beats:read+.
      #
      # @param after [Integer, nil] Only changes after this position: the +next+ of the previous response, or the
      #   <tt>X-Change-Position</tt> of an export. Default: from the oldest stored change.
      # @param limit [Integer, nil] The maximum number of changes in a response. 1 to 1,000. Default: 100.
      # @param wait [Integer, nil] The number of seconds to wait for a change if there is none yet. The response is sent
      #   as soon as there is one. 0 to 30. Default: 0.
      # @return [ChangePage]
      # @raise [GoneError] if the entries after +after+ are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def list(after: nil, limit: nil, wait: nil)
        query = { after:, limit:, wait: }
        positions("listChanges", ChangePage, "changes", Change, query)
      end

      # Follows the changes after a position, page by page and without end: store +next+ together with the content of a
      # page.
      #
      # A page without changes says that there were none for +wait+ seconds, so a loop can end there. After the first
      # page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.
      #
      # @param after [Integer, nil] As for {#list}.
      # @param limit [Integer] As for {#list}.
      # @param wait [Integer] As for {#list}.
      # @yieldparam page [ChangePage]
      # @return [Enumerator] without a block
      # @raise [GoneError] if the entries after the position are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def follow(after: nil, limit: 1000, wait: 30, &block)
        return to_enum(:follow, after:, limit:, wait:) unless block

        query = { after:, limit:, wait: }
        following("listChanges", ChangePage, "changes", Change, query, &block)
      end
    end
  end
end
