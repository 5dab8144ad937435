# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.quotes+. What purchases would cost, with discounts.
    class Quotes < Resource
      # Ask for a quote. Returns the amount that a checkout of the items would charge, and every discount that was
      # considered, with the reason why it applies or not. Nothing is held, charged or stored. Needs the permission
      # +orders:write+.
      #
      # @param items [Array<Hash{Symbol, String => Object}>] The licenses to buy with one payment.
      # @param discount_code [String, nil] A discount code. Upper and lower case are equal. If it does not apply,
      #   +rules+ says why.
      # @param email [String, nil] The buyer's e-mail address, for discounts with a limit for each buyer. Default: the
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
