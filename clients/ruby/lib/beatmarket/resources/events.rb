# frozen_string_literal: true

require_relative "../generated/resources/events"

module BeatMarket
  module Resources
    class Events
      # Yields the events after a position one by one, then each new event when it happens, without end (server-sent
      # events). After the stream has begun, lost connections, restarts of the service and rate limits are retried without
      # limit. Needs the permission +events:read+.
      #
      # @param after [Integer, nil] as for {#list}
      # @param type [String, nil] as for {#list}
      # @yieldparam event [Event]
      # @return [EventStream] without a block
      # @raise [GoneError] if the events after the position are no longer kept
      # @raise [APIStatusError, APIConnectionError]
      def stream(after: nil, type: nil, &block)
        events = EventStream.new(@transport, @transport.target(OPERATIONS.fetch("listEvents").path, { after:, type: }), after)
        block ? events.each(&block) : events
      end
    end
  end
end
