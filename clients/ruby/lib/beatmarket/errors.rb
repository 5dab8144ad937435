# frozen_string_literal: true

module BeatMarket
  # Whatever this library raises. Of this class itself are mistakes in the use of it (no key, an empty id, an address
  # without https), raised before anything is sent.
  class BeatMarketError < StandardError; end

  # No answer came: the name is unknown, the connection was refused or lost, or its certificate is not trusted.
  # +cause+ is the error of net/http or OpenSSL.
  class APIConnectionError < BeatMarketError; end

  # No complete answer came within the time-out of a try.
  class APITimeoutError < APIConnectionError; end

  # A request does not come from the service: its signature is missing, malformed, or of another secret or body.
  class SignatureVerificationError < BeatMarketError; end

  # The API answered, and not with what was asked for: a status other than 2xx, or a body that is not the API's.
  class APIStatusError < BeatMarketError
    # @return [Response] the whole answer, with its headers and its text
    attr_reader :response
    # @return [String, nil] a key of {BY_CODE}, or a later one; nil when the body was not an error of the API
    attr_reader :code
    # @return [String, nil] what exactly is wrong, and what to do about it
    attr_reader :details

    # The error of the class that an answer's status stands for, or else its code.
    #
    # @param response [Response]
    # @param fault [String] what is wrong with it, in case that it does not say so itself
    # @return [APIStatusError]
    # @api private
    def self.for(response, fault)
      error = response.error_fields
      type = response.status >= 500 ? ServerError : BY_STATUS[response.status] || BY_CODE[error["code"]] || self
      type.new(error["message"] || fault, response: response, code: error["code"], details: error["details"])
    end

    # @param message [String] short text
    # @param response [Response]
    # @param code [String, nil]
    # @param details [String, nil]
    def initialize(message, response:, code: nil, details: nil)
      super(message)
      @response = response
      @code = code
      @details = details
    end

    # @return [Integer] the HTTP status
    def status = response.status

    # @return [String, nil] names the call in the service's request log; quote it when you report a problem
    def request_id = response.request_id

    # @return [RateLimit, nil] what the answer said about the key's limit
    def rate_limit = response.rate_limit

    # @return [Integer, nil] whole seconds after which the API asks to be called again
    def retry_after = response.retry_after

    # The message, the details and the request id: what Ruby 3.2 or newer prints of an uncaught error, and what
    # +full_message+ begins with.
    #
    # @return [String]
    def detailed_message(highlight: false, **)
      about = [details, request_id && "request id #{request_id}"].compact
      ["#{message} (#{self.class}, #{[status, code].compact.join(" ")})", *about].join("\n")
    end

    unless Exception.method_defined?(:detailed_message) # Ruby 3.1
      # @return [String] with the cause and where it happened
      def full_message(**options) = super.sub(message) { detailed_message }
    end

    # @return [String]
    def inspect
      about = [status, code, request_id].compact.join(" ")
      "#<#{self.class} #{about}: #{[message, details].compact.join(" ")}>"
    end
  end

  # 400, and 405, 406, 409, 413, 415: the request is malformed, or conflicts with what is there.
  class InvalidRequestError < APIStatusError; end

  # 401: the API key is missing or invalid.
  class AuthenticationError < APIStatusError; end

  # 403: the key lacks the permission.
  class PermissionDeniedError < APIStatusError; end

  # 404: there is no such thing, or the key may not see it.
  class NotFoundError < APIStatusError; end

  # 429: the key's limit is used up; +retry_after+ says for how long.
  class RateLimitError < APIStatusError; end

  # 5xx: the service failed, or is overloaded.
  class ServerError < APIStatusError; end

  class APIStatusError
    # The error classes by the API's codes (contract section 7).
    BY_CODE = {
      "invalid_request" => InvalidRequestError,
      "unauthorized" => AuthenticationError,
      "forbidden" => PermissionDeniedError,
      "not_found" => NotFoundError,
      "rate_limit_exceeded" => RateLimitError,
      "server_error" => ServerError
    }.freeze

    # Those by the HTTP status; all from 500 are a {ServerError}.
    BY_STATUS = {
      400 => InvalidRequestError,
      401 => AuthenticationError,
      403 => PermissionDeniedError,
      404 => NotFoundError,
      429 => RateLimitError
    }.freeze
  end
end
