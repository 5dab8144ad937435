# frozen_string_literal: true

require "json"
require_relative "errors"

module BeatMarket
  # The rate limit of the key: the window with the fewest requests left.
  #
  # @!attribute [r] limit
  #   @return [Integer] requests in the window
  # @!attribute [r] remaining
  #   @return [Integer] requests left
  # @!attribute [r] reset
  #   @return [Integer] Unix time in seconds at which the next request becomes available
  RateLimit = Struct.new(:limit, :remaining, :reset, keyword_init: true) do
    # @return [Time] +reset+ as a time, UTC
    def reset_at = Time.at(reset).utc
  end

  # A raw response. All results have it as +response+.
  class Response
    # @return [Integer] HTTP status
    attr_reader :status
    # @return [String] the body as UTF-8; empty if there is none
    attr_reader :text
    # @return [Hash, Array, String, Numeric, Boolean, nil] the parsed body, deeply frozen; nil if it is not JSON
    attr_reader :body
    # @return [String] the path and query of the request
    attr_reader :target
    # @return [String, nil] the Idempotency-Key of the request, passed or generated; nil if the request had none
    attr_reader :idempotency_key

    # @param status [Integer]
    # @param headers [Hash{String => Array<String>}] by lower-case name
    # @param text [String, nil] the raw body; becomes part of this object
    # @param target [String]
    # @param idempotency_key [String, nil]
    def initialize(status:, headers:, text:, target:, idempotency_key: nil)
      @status = status
      @fields = headers.freeze
      @text = text ? text.force_encoding(Encoding::UTF_8).freeze : ""
      @body = parse(@text)
      @target = target
      @idempotency_key = idempotency_key
      freeze
    end

    # @return [Hash{String => String}] by lower-case name
    def headers = @fields.transform_values { |values| values.join(", ") }

    # @param name [String] in lower case
    # @return [String, nil] the header of that name
    def header(name) = @fields[name]&.join(", ")

    # @return [Boolean] 2xx
    def success? = status.between?(200, 299)

    # @return [String, nil] identifies the call in the service's request log
    def request_id = header("x-request-id")

    # @return [String, nil] the ETag of the returned resource. To change your own beat only if it is unchanged, pass it as +if_match+
    def etag = header("etag")

    # @return [RateLimit, nil] nil if the response does not have all three headers
    def rate_limit
      limit, remaining, reset = %w[limit remaining reset].map { |name| whole_number(header("x-ratelimit-#{name}")) }
      RateLimit.new(limit:, remaining:, reset:).freeze if limit && remaining && reset
    end

    # @return [Integer, nil] seconds to wait, from Retry-After as seconds or as a date; nil if it is absent, invalid or
    #   past
    def retry_after
      value = header("retry-after") or return
      return whole_number(value) if whole_number(value)

      require "time"
      (Time.httpdate(value) - Time.now).ceil.then { |seconds| seconds if seconds.positive? }
    rescue ArgumentError
      nil
    end

    # @return [Hash{String => Object}]
    # @raise [APIStatusError] if the body has another form
    # @api private
    def data
      data = body["data"] if body.is_a?(Hash) && body["status"] == "success"
      data.is_a?(Hash) ? data : raise(fault("The response has an unknown form"))
    end

    # A member of +data+.
    #
    # @param name [String]
    # @param type [Class]
    # @yieldreturn [Object, nil] what stands for a member of another type
    # @return [Object]
    # @raise [APIStatusError] if it has another type, and there is no default
    # @api private
    def member(name, type)
      value = data[name]
      return value if value.is_a?(type)

      (yield if block_given?) || raise(fault("The response has no #{name}"))
    end

    # A member of +data+, unchanged; nil if it is missing.
    #
    # @param name [String]
    # @return [Object, nil]
    # @api private
    def optional(name) = data[name]

    # @return [String, nil] in lower case and without parameters
    def content_type
      type = header("content-type").to_s.split(";").first.to_s.strip.downcase
      type unless type.empty?
    end

    # @return [String] the beginning of the body: at most 200 characters, on one line
    def excerpt
      start = text.scrub.gsub(/[\x00-\x20\x7f]+/, " ").strip
      start.length > 200 ? "#{start[0, 200]}…" : start
    end

    # Creates an error for this response.
    #
    # @param reason [String] the reason, if the body has none
    # @return [APIStatusError]
    # @api private
    def fault(reason = foreign) = APIStatusError.for(self, reason)

    # @return [Hash{String => String}] code, message and details of an error body, as far as they are
    #   present
    # @api private
    def error_fields
      error = body["error"] if body.is_a?(Hash)
      error.is_a?(Hash) ? error.select { |_, value| value.is_a?(String) } : {}
    end

    # @return [String]
    def inspect = "#<#{self.class} #{status} #{target} #{request_id}>"

    private

    # The reason in a response of another server, such as a proxy's page: the content type and the beginning of the
    # body.
    def foreign
      start = excerpt
      "The response is not the API's: #{content_type || "no content type"}: #{start.empty? ? "no body" : start}"
    end

    def parse(text)
      JSON.parse(text, freeze: true)
    rescue JSON::ParserError, EncodingError
      nil
    end

    def whole_number(text)
      Integer(text, 10) if text&.match?(/\A\d{1,15}\z/)
    end
  end
end
