# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # Decides which failures are retried, and when.
  #
  # @api private
  module Retries
    # 409 with Retry-After is retried too: an order with the same idempotency key is in progress. 423: another request
    # sends bytes of the upload; 460: a part was damaged on its way.
    STATUSES = [408, 423, 429, 460, 500, 502, 503, 504].freeze
    MAX_BACKOFF = 8.0

    module_function

    # @param error [BeatMarketError] the error of the last attempt
    # @param tries [Integer] number of attempts so far
    # @param max_retry_after [Numeric] maximum Retry-After to follow, in seconds
    # @return [Numeric, nil] seconds to wait before the next attempt; nil to give up
    def wait(error, tries, max_retry_after)
      case error
      when APIConnectionError then backoff(tries) unless certificate?(error.cause)
      when APIStatusError
        retry_after = error.retry_after
        return unless STATUSES.include?(error.status) || (error.status == 409 && retry_after)

        retry_after.nil? ? backoff(tries) : (retry_after if retry_after <= max_retry_after)
      end
    end

    # Exponential backoff from half a second, with a random factor from 0.5 to 1 so that clients do not retry all at the
    # same time.
    def backoff(tries) = [0.5 * (2**[tries - 1, 10].min), MAX_BACKOFF].min * (0.5 + (rand * 0.5))

    # A retry would get the same certificate.
    def certificate?(error)
      error.is_a?(OpenSSL::SSL::SSLError) && error.message.match?(/certificate|hostname/i)
    end
  end
end
