# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  # A page of events, in the order of commits.
  class EventPage < Collection
    # @return [Integer] the position to go on from
    attr_reader :next

    # @return [Array<Event>] frozen
    alias events data

    # @param response [Response]
    # @raise [APIStatusError] if the response is not a page of events
    # @api private
    def initialize(response)
      super(Event.list(response.member("events", Array)), response)
      @next = response.optional("next")
    end

    # @return [Integer] {#next}
    # @raise [APIStatusError] if there is none: a follower would begin again
    # @api private
    def position = self.next.is_a?(Integer) ? self.next : raise(response.fault("The response has no position to go on from"))
  end

  module Resources
    # +client.events+: the account's events of the last 30 days, as webhooks deliver them, for those without a public
    # address. Needs the permission +events:read+.
    class Events < Resource
      # Lists the events behind a position.
      #
      # @param after [Integer, nil] the +next+ of the last page; nil for the oldest that is kept
      # @param type [String, nil] only events of this type, or of several by comma
      # @param limit [Integer, nil] events per page, 1 to 1,000; 100 by default
      # @param wait [Integer, nil] seconds that the service waits for a first event, 0 (default) to 30; extends the timeout
      # @return [EventPage]
      # @raise [GoneError] if the events behind +after+ are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def list(after: nil, type: nil, limit: nil, wait: nil)
        page({ after:, type:, limit:, wait: }, @transport.settings)
      end

      # Follows the events behind a position, page by page and without end, as {Changes#follow} does.
      #
      # @param after [Integer, nil] as for {#list}
      # @param type [String, nil] as for {#list}
      # @param limit [Integer] events per page, 1 to 1,000
      # @param wait [Integer] seconds that the service waits for a first event, 0 to 30
      # @yieldparam page [EventPage]
      # @return [Enumerator] without a block
      # @raise [GoneError] if the events behind the position are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def follow(after: nil, type: nil, limit: 1000, wait: 30)
        return to_enum(:follow, after:, type:, limit:, wait:) unless block_given?

        is_first = true
        loop do
          page = page({ after:, type:, limit:, wait: }, @transport.settings.following(is_first))
          yield page
          after = page.position
          is_first = false
        end
      end

      # Gets an event.
      #
      # @param event_id [String]
      # @return [Event]
      # @raise [NotFoundError] if the account has none with this id, or no longer
      # @raise [APIStatusError, APIConnectionError]
      def get(event_id)
        object("getEvent", Event, "event", { event_id: })
      end

      private

      def page(query, settings)
        EventPage.new(perform("listEvents", query: query, settings: settings.waiting(query[:wait])))
      end
    end
  end
end
