# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.events+. The events that webhooks deliver, for programs without a public address.
    class Events < Resource
      # List your events. Returns the events of the last 30 days that a webhook endpoint of the account would receive,
      # with the same bodies, in the order of commits, without gaps and repetitions. Programs without a public address
      # use it instead of webhooks. Pass +next+ as +after+ of the next request; with +wait+, the response is sent as
      # soon as there is an event. Needs the permission +events:read+.
      #
      # @param after [Integer, nil] Only events after this position: the +next+ of the previous response. Default: from
      #   the oldest stored event.
      # @param type [String, nil] Only events of these types, separated by commas: beat.created, beat.updated,
      #   beat.withdrawn, beat.taken_down, beat.sold_exclusively, beat.purchased, order.refunded, order.failed,
      #   license.upgraded, license.usage, upload.ready, upload.rejected, beat.publishing_failed, payout.sent,
      #   payout.paid, payout.failed, user.registered, user.updated. Default: all types, including later ones.
      # @param limit [Integer, nil] The maximum number of events in a response. 1 to 1,000. Default: 100.
      # @param wait [Integer, nil] The number of seconds to wait for an event if there is none yet. The response is sent
      #   as soon as there is one. 0 to 30. Default: 0.
      # @return [EventPage]
      # @raise [GoneError] if the entries after +after+ are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def list(after: nil, type: nil, limit: nil, wait: nil)
        query = { after:, type:, limit:, wait: }
        positions("listEvents", EventPage, "events", Event, query)
      end

      # Follows the events after a position, page by page and without end: store +next+ together with the content of a
      # page.
      #
      # A page without events says that there were none for +wait+ seconds, so a loop can end there. After the first
      # page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.
      #
      # @param after [Integer, nil] As for {#list}.
      # @param type [String, nil] As for {#list}.
      # @param limit [Integer] As for {#list}.
      # @param wait [Integer] As for {#list}.
      # @yieldparam page [EventPage]
      # @return [Enumerator] without a block
      # @raise [GoneError] if the entries after the position are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def follow(after: nil, type: nil, limit: 1000, wait: 30, &block)
        return to_enum(:follow, after:, type:, limit:, wait:) unless block

        query = { after:, type:, limit:, wait: }
        following("listEvents", EventPage, "events", Event, query, &block)
      end

      # Get an event. Returns one of the account's events of the last 30 days, with the body that webhooks have. Needs
      # the permission +events:read+.
      #
      # @param event_id [String] The +id+ of the event: +evt_+ and 26 letters and digits.
      # @return [Event]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(event_id)
        object(perform("getEvent", "/events/#{@transport.segment(event_id)}"), Event, "event")
      end

      # Cause an event. Creates in test mode what the event describes, such as an order and its refund. The event and
      # its deliveries follow. Needs a test key.
      #
      # @param type [String, Symbol] The type of the event to cause. One of +beat.created+, +beat.updated+,
      #   +beat.withdrawn+, +beat.taken_down+, +beat.sold_exclusively+, +beat.purchased+, +order.refunded+,
      #   +order.failed+, +license.upgraded+, +license.usage+, +upload.ready+, +upload.rejected+,
      #   +beat.publishing_failed+, +payout.sent+, +payout.paid+, +payout.failed+, +user.registered+, +user.updated+.
      # @return [TestEvent]
      # @raise [APIStatusError, APIConnectionError]
      def trigger(type:)
        fields = { type: }
        object(perform("triggerEvent", body: fields.compact), TestEvent, "test_event", EMPTY)
      end
    end
  end
end
