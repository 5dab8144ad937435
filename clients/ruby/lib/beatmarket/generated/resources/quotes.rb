# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.quotes+. What purchases would cost, with discounts.
    class Quotes < Resource
      # Ask for a quote. The amount that a checkout of the items would charge, and every discount that was tried, with
      # the reason why it applied or not. Nothing is held, charged or stored. Needs the permission +orders:write+.
      #
      # @param items [Array<Hash{Symbol, String => Object}>] The licenses to buy by one payment.
      # @param discount_code [String, nil] A discount code; upper and lower case are the same. +rules+ says why it does
      #   not apply.
      # @param email [String, nil] The buyer's address, for discounts that are limited for each buyer. Default: the
      #   account's.
      # @return [Quote]
      # @raise [APIStatusError, APIConnectionError]
      def create(items:, discount_code: nil, email: nil)
        fields = { items:, discount_code:, email: }
        object(perform("createQuote", body: fields.compact), Quote, "quote", EMPTY)
      end
    end
  end
end
