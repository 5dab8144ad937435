# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # The headers and fields that a caller adds to the arguments of methods.
  #
  # @api private
  module Extras
    # Headers that the client sets itself.
    OWN_HEADERS = /\A(accept|accept-encoding|authorization|connection|content-(encoding|length|type)|expect|host|
                      idempotency-key|if-match|if-range|last-event-id|range|te|transfer-encoding|tus-.*|upload-.*|
                      user-agent|x-api-key)\z/x

    module_function

    # @param given [Hash]
    # @return [Hash{String => String}] by lower-case name, frozen
    # @raise [BeatMarketError] if a header is invalid, or the client sets it itself
    def headers(given)
      hash("headers", given).to_h do |name, value|
        sendable(name, value)
        if OWN_HEADERS.match?(name.to_s.downcase)
          raise BeatMarketError, "The client sets the header #{name} itself: use the argument for it, or send it with request"
        end

        [name.to_s.downcase, value.to_s]
      end.freeze
    end

    # @raise [BeatMarketError] if the header cannot be sent
    def sendable(name, value)
      is_sendable = name.to_s.match?(/\A[\w!#$%&'*+.^`|~-]+\z/) && !value.to_s.b.match?(/[\r\n\0]/n)
      raise BeatMarketError, "The header #{name.inspect} has a line break, or a name that no header has" unless is_sendable
    end

    # @param what [String] query or body
    # @param given [Hash]
    # @return [Hash{Symbol => Object}] frozen
    # @raise [BeatMarketError] if it is not a Hash
    def fields(what, given) = hash(what, given).transform_keys(&:to_sym).freeze

    # @param given [String, nil]
    # @return [String, nil]
    # @raise [BeatMarketError] if it is not words of visible ASCII with single spaces between them
    def suffix(given)
      return given if given.nil? || (given.is_a?(String) && given.b.match?(/\A[!-~]+( [!-~]+)*\z/n))

      raise BeatMarketError, "user_agent_suffix must be like my-shop/1.2, on one line, not #{given.inspect}"
    end

    # The fields that a call sends, and those that the caller adds.
    #
    # @param also [Array<Symbol>] further names that the call sends
    # @return [Hash]
    # @raise [BeatMarketError] if the call sends one of them itself
    def added(what, own, extra, also = [])
      return own if extra.empty?

      name = extra.keys.find { |one| own.key?(one) || own.key?(one.name) || also.include?(one) }
      raise BeatMarketError, "This call sends #{name} itself: leave out its argument, or #{name} in #{what}" if name

      { **own, **extra }
    end

    def hash(what, given)
      return given.to_h if given.nil? || given.is_a?(Hash)

      raise BeatMarketError, "#{what} must be a Hash, not #{given.inspect}"
    end
    private_class_method :hash
  end
end
