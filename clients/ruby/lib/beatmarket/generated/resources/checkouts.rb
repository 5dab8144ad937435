# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.checkouts+. Payments of one or more licenses, on a page of the service.
    class Checkouts < Resource
      # Open a checkout. Opens one payment of one or more licenses and returns its page, on which a person pays. If one
      # of the licenses is not for sale, nothing is held or charged, and the error names the license. The payment
      # creates the orders. Needs the permission +orders:write+.
      #
      # @param items [Array<Hash{Symbol, String => Object}>] The licenses to buy with one payment.
      # @param email [String, nil] The e-mail address for the receipt. Default: the account's.
      # @param success_url [String, nil] The address to which the page sends the buyer after the payment. +:CHECKOUT_ID+
      #   in it is replaced by the checkout's id. Default: the page itself, with the files.
      # @param cancel_url [String, nil] The address to which the page sends a buyer who does not pay. Default: the
      #   basket.
      # @param discount_code [String, nil] A discount code. Upper and lower case are equal. A code that cannot be used
      #   is refused with 409.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [Checkout]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(items:, email: nil, success_url: nil, cancel_url: nil, discount_code: nil, idempotency_key: nil)
        fields = { items:, email:, success_url:, cancel_url:, discount_code: }
        object(perform("createCheckout", body: fields.compact, idempotency_key:), Checkout, "checkout", EMPTY)
      end

      # Get one of your checkouts. Returns a checkout of the key's account, with its orders once it is paid. A checkout
      # of another account is 404. Needs the permission +orders:write+.
      #
      # @param checkout_id [Integer, String] Identifier of the checkout.
      # @return [Checkout]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(checkout_id)
        object(perform("getCheckout", "/checkouts/#{@transport.segment(checkout_id)}"), Checkout, "checkout")
      end
    end
  end
end
