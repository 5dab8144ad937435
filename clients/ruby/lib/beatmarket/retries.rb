# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # Which failures are worth another try, and when.
  #
  # @api private
  module Retries
    # An order that is still being made answers 409 and says when to come back: that one too.
    STATUSES = [408, 429, 500, 502, 503, 504].freeze
    MAX_BACKOFF = 8.0

    module_function

    # @param error [BeatMarketError] how a try ended
    # @param tries [Integer] how many there were, this one included
    # @param max_retry_after [Numeric] the longest wait, in seconds, that the API may ask for
    # @return [Numeric, nil] seconds to wait before the next try; nil when there is to be none
    def wait(error, tries, max_retry_after)
      case error
      when APIConnectionError then backoff(tries) unless certificate?(error)
      when APIStatusError
        told = error.retry_after
        return unless STATUSES.include?(error.status) || (error.status == 409 && told)

        told.nil? ? backoff(tries) : (told if told <= max_retry_after)
      end
    end

    # Half a second, doubled with each try; of that a random part between half and the whole, so that the clients do not
    # come back all at once.
    def backoff(tries) = [0.5 * (2**(tries - 1)), MAX_BACKOFF].min * (0.5 + (rand * 0.5))

    # It will not be another one in a second.
    def certificate?(error)
      error.cause.is_a?(OpenSSL::SSL::SSLError) && error.cause.message.match?(/certificate|hostname/i)
    end
  end
end
