# frozen_string_literal: true

require "json"
require "net/http"
require_relative "errors"

module BeatMarket
  # Gives an adapter the interface of a net/http connection.
  #
  # @api private
  class Adapted
    # @return [Numeric, nil] seconds, as of net/http
    attr_accessor :open_timeout, :read_timeout, :write_timeout

    # @param adapter [#call]
    # @param origin [URI::HTTP]
    def initialize(adapter, origin)
      @adapter = adapter
      @origin = origin
    end

    # @return [true] the adapter keeps the connections itself
    def started? = true

    # @return [void]
    def finish; end

    # @param request [Net::HTTPGenericRequest]
    # @yieldparam response [Response] before its body
    # @return [Response]
    # @raise [IOError] instead of an error class of the adapter's library, so that the call is retried as with net/http
    def request(request, &)
      exchange(call_of(request), &)
    rescue BeatMarketError, Timeout::Error, OpenSSL::SSL::SSLError, IOError, SystemCallError, Zlib::Error, JSON::ParserError
      raise
    rescue StandardError => error
      raise IOError, error.message
    end

    private

    def call_of(request)
      headers = request.each_header.to_h
      # net/http added this header, and would decompress. The body of an adapter is used as it is.
      headers.delete("accept-encoding") if request.decode_content
      { method: request.method, url: URI.join(@origin, request.path).to_s, headers:, body: request.body_stream&.read, timeout: read_timeout }
    end

    def exchange(call)
      response = Response.new(*@adapter.call(**call))
      yield response if block_given?
      response.body # Reads the rest within the timeout, as net/http does.
      response
    ensure
      response&.close
    end

    # The response of an adapter in the form of a Net::HTTPResponse.
    class Response
      include Net::HTTPHeader

      # @return [String]
      attr_reader :code

      # @param status [Integer, String]
      # @param headers [Hash{String => String, Array<String>}]
      # @param parts [#each]
      def initialize(status, headers, parts)
        @code = status.to_s
        @parts = parts
        initialize_http_header(headers.to_h { |name, value| [name.to_s, [*value].join(", ")] })
      end

      # @yieldparam part [String]
      def read_body(&)
        @body = false
        @parts.each(&)
      end

      # @return [String, false] false if it was read in parts
      def body = @body.nil? ? @body = @parts.enum_for.to_a.join : @body

      # @return [void] lets a Rack application release what it holds
      def close
        @parts.close if @parts.respond_to?(:close)
      end
    end
  end
end
