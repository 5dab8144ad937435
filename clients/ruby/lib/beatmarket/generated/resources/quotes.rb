# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.quotes+. What purchases would cost, with discounts.
    class Quotes < Resource
      # Ask for a quote. What a checkout of the items charges, with discounts, and every discount that was tried with
      # why it applied or not. Nothing is held, charged or stored. Needs the permission +orders:write+.
      #
      # @param items [Array<Hash{Symbol, String => Object}>] What is bought, by one payment.
      # @param discount_code [String, nil] A discount code, in any case. Why it does not apply is in +rules+.
      # @param email [String, nil] Who buys: limits of discounts for each buyer count by it. Default: the account's
      #   address.
      # @return [Quote]
      # @raise [APIStatusError, APIConnectionError]
      def create(items:, discount_code: nil, email: nil)
        fields = { items:, discount_code:, email: }
        object("createQuote", Quote, "quote", body: fields.compact)
      end
    end
  end
end
