# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # One attempt of a request when it begins, for +on_request+.
  #
  # @!attribute [r] method
  #   @return [String] GET, POST …
  # @!attribute [r] path
  #   @return [String] without the query
  # @!attribute [r] operation
  #   @return [String, nil] the operation of the API, such as listBeats; nil for {Client#request} and for links of files
  # @!attribute [r] attempt
  #   @return [Integer] from 1
  # @!attribute [r] request_headers
  #   @return [Hash{String => String}] by lower-case name. Only the end of the key is shown
  RequestInfo = Struct.new(:method, :path, :operation, :attempt, :request_headers, keyword_init: true)

  # One attempt of a request when it has ended, for +on_response+.
  #
  # @!attribute [r] method
  #   @return [String] GET, POST …
  # @!attribute [r] path
  #   @return [String] without the query
  # @!attribute [r] operation
  #   @return [String, nil] as for {RequestInfo}
  # @!attribute [r] attempt
  #   @return [Integer] from 1
  # @!attribute [r] request_headers
  #   @return [Hash{String => String}] as for {RequestInfo}
  # @!attribute [r] status
  #   @return [Integer, nil] nil without a response
  # @!attribute [r] duration_ms
  #   @return [Float] until the last byte of the body
  # @!attribute [r] request_id
  #   @return [String, nil] the header X-Request-Id
  # @!attribute [r] error
  #   @return [Exception, nil] the error of the attempt: an error response, or no complete response; nil for a success
  ResponseInfo = Struct.new(*RequestInfo.members, :status, :duration_ms, :request_id, :error, keyword_init: true)

  # Reports each attempt to the hooks of the caller, and by BEATMARKET_LOG to standard error.
  #
  # @api private
  class Attempt
    LEVELS = %w[info debug].freeze
    SECRET_HEADERS = %w[authorization cookie proxy-authorization set-cookie].freeze
    # The last characters of the key. A short key is not shown at all.
    SHOWN = 4
    LEAST_SHOWN = 16
    @warned = {}

    # @return [String, nil] info, debug, or nil for no log
    def self.level
      text = ENV.fetch("BEATMARKET_LOG", "").strip.downcase
      return (text unless text.empty?) if text.empty? || LEVELS.include?(text)

      $stderr.puts "beatmarket BEATMARKET_LOG is #{text.inspect}, which is not known: it takes info or debug." unless @warned[text]
      @warned[text] = true
      nil
    end

    # @param settings [Transport::Settings]
    # @param parts [Hash] of {RequestInfo}, with whole headers
    def initialize(settings, **parts)
      @settings = settings
      @parts = parts
      @begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      call(settings.on_request) { RequestInfo.new(**shown) }
    end

    # @param received [Net::HTTPResponse, nil] the received part of the response
    # @param response [Response, nil] the response, if it is complete
    # @param error [Exception, nil]
    # @return [void]
    def ended(received, response, error)
      return unless @settings.log_level || @settings.on_response

      duration_ms = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - @begun) * 1000
      status = received&.code&.to_i
      error ||= response.fault if response && refused?(response)
      info = ResponseInfo.new(**shown, status:, duration_ms:, request_id: received&.[]("x-request-id"), error:)
      $stderr.write(*lines(info, received)) if @settings.log_level
      call(@settings.on_response) { info }
    end

    private

    # An error of a hook becomes the error of the call. It must not count as an error of the attempt, which might be
    # retried.
    def call(hook)
      hook&.call(yield.freeze)
    rescue BeatMarketError => error
      error.final!
      raise
    end

    # A redirect of a link and a requested 304 are successes.
    def refused?(response)
      is_link = !@parts.fetch(:request_headers).key?("authorization")
      !response.success? && response.status != 304 && !(is_link && response.status < 400)
    end

    def shown
      headers = @parts.fetch(:request_headers).to_h { |name, value| [name, name == "authorization" ? masked(value) : value] }
      { **@parts, request_headers: headers.freeze }
    end

    def masked(authorization)
      key = authorization.delete_prefix("Bearer ")
      "Bearer bm_…#{key[-SHOWN..] if key.length >= LEAST_SHOWN}"
    end

    def lines(info, received)
      outcome = info.status || info.error.class.name.split("::").last
      lines = ["#{info.method} #{info.path} #{outcome} #{info.duration_ms.round} ms #{info.request_id || "-"} attempt #{info.attempt}"]
      if @settings.log_level == "debug"
        lines += info.request_headers.map { |name, value| "> #{name}: #{without_secret(name, value)}" }
        lines += received.each_header.map { |name, value| "< #{name}: #{without_secret(name, value)}" } if received
      end
      lines.map { |line| "beatmarket #{line}\n" }
    end

    def without_secret(name, value) = SECRET_HEADERS.include?(name) && !value.start_with?("Bearer bm_…") ? "…" : value
  end
end
