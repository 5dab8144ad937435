# frozen_string_literal: true

module BeatMarket
  # Parses server-sent events from the bytes of one connection:
  # https://html.spec.whatwg.org/multipage/server-sent-events.html.
  #
  # @api private
  class ServerSentEvents
    FIRST_RETRY_SECONDS = 3.0
    MAX_RETRY_SECONDS = 60.0

    # @return [Float] the seconds that the service asks to wait before the next connection
    attr_reader :retry_seconds

    def initialize
      @retry_seconds = FIRST_RETRY_SECONDS
      @rest = "".b
      @is_first = true
      @id = ""
      @data = []
    end

    # @param chunk [String]
    # @yieldparam id [String] the latest id of the stream; empty before the first
    # @yieldparam data [String] of an event that is complete with this chunk
    # @return [void]
    def read(chunk)
      text = @rest << chunk
      held = text.end_with?("\r") ? text.slice!(-1) : "".b # It may be half of a line break.
      *lines, rest = text.split(/\r\n|\r|\n/n, -1)
      @rest = (rest || "".b) + held
      lines.each do |line|
        line = line.delete_prefix("\xEF\xBB\xBF".b) if @is_first
        @is_first = false
        next field(*line.force_encoding(Encoding::UTF_8).scrub.split(/: ?/, 2)) unless line.empty?

        yield @id, @data.join("\n") unless @data.empty?
        @data = []
      end
    end

    private

    def field(name, value = "")
      case name
      when "data" then @data << value
      when "id" then @id = value unless value.include?("\0")
      when "retry" then @retry_seconds = [value.to_i / 1000.0, MAX_RETRY_SECONDS].min if value.match?(/\A\d{1,9}\z/)
      end
    end
  end
end
