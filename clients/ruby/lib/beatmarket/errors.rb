# frozen_string_literal: true

module BeatMarket
  # The base class of all errors of this library. Raised itself for mistakes of the caller (no key, an empty id, a base
  # URL without https, an unreadable file), before anything is changed.
  class BeatMarketError < StandardError
    # Marks an error that ends the call without a retry.
    #
    # @api private
    def final! = (@is_final = true unless frozen?)

    # @return [Boolean]
    # @api private
    def final? = @is_final == true
  end

  # No complete response: DNS failed, the connection was refused or lost, its certificate is not trusted, or a download
  # is incomplete. +cause+ is the error of net/http or OpenSSL, if there is one.
  class APIConnectionError < BeatMarketError
    # @return [String, nil] the Idempotency-Key of the request. If you repeat the call with it within 24 hours, it takes
    #   effect only once
    attr_reader :idempotency_key

    # @param message [String, nil]
    # @param idempotency_key [String, nil]
    def initialize(message = nil, idempotency_key: nil)
      super(message)
      @idempotency_key = idempotency_key
    end
  end

  # No complete response within the timeout of one attempt; or an upload that is not ready in time.
  class APITimeoutError < APIConnectionError; end

  # A webhook request whose signature is missing, malformed or does not match, whose time is outside the tolerance,
  # whose id is not the event's, or whose body was parsed.
  class SignatureVerificationError < BeatMarketError; end

  # The bytes of a downloaded file differ from the listed checksum. The file was deleted.
  class ChecksumError < BeatMarketError; end

  # The service cannot use the file of an upload. The message says why, as a sentence.
  class UploadRejectedError < BeatMarketError
    # @return [Upload] with the +rejection+
    attr_reader :upload

    # @param upload [Upload]
    # @api private
    def initialize(upload)
      super(upload.rejection || "The file was rejected.")
      @upload = upload
    end
  end

  # An error response, or a response of an unknown form. The message has all of it:
  # +409 invalid_request: Conflict: This beat is sold. (request req_…)+.
  class APIStatusError < BeatMarketError
    # @return [Response] the response with its headers and text
    attr_reader :response
    # @return [String, nil] a key of {BY_CODE}, or a later code; nil if the body is not an error of the API
    attr_reader :code
    # @return [String] what is wrong, in a few words
    attr_reader :reason
    # @return [String, nil] what is wrong and what to do
    attr_reader :details

    # Creates the error for a response, of the class of its status or, for other statuses, of its code.
    #
    # @param response [Response]
    # @param reason [String] if the response gives none
    # @return [APIStatusError]
    # @api private
    def self.for(response, reason)
      error = response.error_fields
      type = response.status >= 500 ? ServerError : BY_STATUS[response.status] || BY_CODE[error["code"]] || self
      type.new(error["message"] || reason, response: response, code: error["code"], details: error["details"])
    end

    # @param reason [String] what is wrong, in a few words
    # @param response [Response]
    # @param code [String, nil]
    # @param details [String, nil]
    def initialize(reason, response:, code: nil, details: nil)
      request = " (request #{response.request_id})" if response.request_id
      super("#{[response.status, code].compact.join(" ")}: #{[reason, details].compact.join(": ")}#{request}")
      @reason = reason
      @response = response
      @code = code
      @details = details
    end

    # @return [Integer] the HTTP status
    def status = response.status

    # @return [String, nil] identifies the call in the service's request log; quote it when you report a problem
    def request_id = response.request_id

    # @return [RateLimit, nil] the rate limit of the key
    def rate_limit = response.rate_limit

    # @return [Integer, nil] seconds to wait before the next request
    def retry_after = response.retry_after

    # @return [Hash{String => String}] the headers of the response, by lower-case name
    def headers = response.headers

    # @return [String, nil] such as +text/html+ of a proxy that responded in place of the API
    def content_type = response.content_type

    # @return [String] the first 200 characters of the body on one line; empty without a body
    def excerpt = response.excerpt

    # @return [String, nil] as for {APIConnectionError}
    def idempotency_key = response.idempotency_key
  end

  # 400, or another 4xx with the code +invalid_request+, such as 409: the request is invalid, or a conflict.
  class InvalidRequestError < APIStatusError; end

  # 401: the API key is missing or invalid.
  class AuthenticationError < APIStatusError; end

  # 403: the key may not make this call; +details+ has the reason, such as a missing permission.
  class PermissionDeniedError < APIStatusError; end

  # 404: the resource does not exist, or this account may not see it.
  class NotFoundError < APIStatusError; end

  # 410. For changes and events: the entries after +after+ are no longer stored; load an export and continue from its
  # position, or begin the events without +after+. For an archive: the order was refunded in full. For any other
  # download: the link was refused, and so was the new one that the client requested.
  class GoneError < APIStatusError; end

  # 412: the beat has changed since the response whose ETag +if_match+ has. Get the beat again, and decide again.
  class PreconditionFailedError < APIStatusError; end

  # 429: the rate limit of the key is exceeded, for +retry_after+ seconds.
  class RateLimitError < APIStatusError; end

  # 5xx: the service failed or is overloaded.
  class ServerError < APIStatusError; end

  class APIStatusError
    # The error classes by HTTP status; 500 and above are a {ServerError}.
    BY_STATUS = {
      400 => InvalidRequestError,
      401 => AuthenticationError,
      403 => PermissionDeniedError,
      404 => NotFoundError,
      410 => GoneError,
      412 => PreconditionFailedError,
      429 => RateLimitError
    }.freeze
  end
end

require_relative "generated/error_codes"
