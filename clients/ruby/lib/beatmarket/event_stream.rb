# frozen_string_literal: true

module BeatMarket
  # The events of the account as they happen, without end. A lost connection is opened again after the last event, so
  # that no event is lost or repeated. The first connection fails like any other call.
  class EventStream
    include Enumerable

    # @return [Integer, nil] of the latest event, or the given +after+ before the first: store it together with your
    #   result, and pass it as +after+ later
    attr_reader :position

    # @param transport [Transport]
    # @param target [String]
    # @param after [Integer, nil]
    # @api private
    def initialize(transport, target, after)
      @transport = transport
      @target = target
      @position = after
    end

    # Yields the events after the latest one. A +break+ closes the connection.
    #
    # @yieldparam event [Event]
    # @return [Enumerator] without a block
    # @raise [GoneError] if the events after the position are no longer stored
    # @raise [APIStatusError, APIConnectionError]
    def each
      return to_enum unless block_given?

      feed = EventFeed.new(@last_id, @position) do |event, position|
        @last_id = @position = position
        yield event
      end
      ByteStream.unwrapped do
        loop do
          connect(feed)
          @transport.pause(feed.retry_seconds)
        end
      end
    end

    private

    # Reads until the connection ends. Ignores an error of the first connection after it has begun. For later ones,
    # +call+ retries temporary failures without limit, so their errors are raised.
    def connect(feed)
      has_begun = feed.begun?
      settings = @transport.settings
      settings = settings.with(max_retries: Float::INFINITY, max_retry_after: Float::INFINITY) if has_begun
      response = @transport.call("GET", @target, settings: settings, stream: feed, operation: "listEvents")
      raise response.fault("The response is not an event stream: is base_url right?") unless feed.begun?
    rescue APIStatusError, APIConnectionError
      raise if has_begun || !feed.begun?
    end
  end

  # Takes the bodies of the connections of an {EventStream}.
  #
  # @api private
  class EventFeed
    # The service sends a byte at least every 15 seconds: after a longer silence than this, the connection is lost.
    QUIET_SECONDS = 45

    # @param last_id [Integer, nil] of the last received event
    # @param position [Integer, nil]
    # @yieldparam event [Event]
    # @yieldparam position [Integer, nil]
    def initialize(last_id, position, &block)
      @last_id = last_id
      @position = position
      @block = block
      @events = ServerSentEvents.new
      @has_begun = @has_advanced = false
    end

    # @return [Boolean] whether a connection has begun
    def begun? = @has_begun

    # @return [Boolean] whether an event arrived since the last call; if so, attempts count from one again
    def advanced? = @has_advanced.tap { @has_advanced = false }

    # @return [Numeric] the timeout between bytes
    def quiet_seconds = QUIET_SECONDS

    # @return [Float]
    def retry_seconds = @events.retry_seconds

    # The header Last-Event-ID overrides +after+ in the query.
    def headers
      { "accept" => "text/event-stream", "accept-encoding" => "identity", "last-event-id" => @last_id&.to_s }.compact
    end

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for this feed
    def begin(response)
      return false unless response.code == "200" && response.content_type == "text/event-stream"

      @response = response
      @events = ServerSentEvents.new
      @has_begun = true
    end

    # @param chunk [String]
    # @return [void]
    def write(chunk)
      @events.read(chunk) { |id, data| take(id, data) }
    end

    private

    def take(id, data)
      response = Response.new(status: 200, headers: @response.to_hash, text: +data, target: "/events")
      raise response.fault("The event has an unknown form") unless response.body.is_a?(Hash)

      @last_id = @position = id.to_i if id.match?(/\A\d+\z/)
      @has_advanced = true
      begin
        @block.call(Event.new(response.body, response), @position)
      rescue StandardError
        raise ByteStream::Stopped
      end
    end
  end
end
