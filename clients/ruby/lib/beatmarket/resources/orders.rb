# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.orders+: the purchases of the key's account.
    class Orders < Resource
      # The orders, newest first. Permission +orders:read+.
      #
      # @param page [Integer, nil] the page to begin at, from 1
      # @param limit [Integer, nil] orders per page, 1 to 100; 20 when absent
      # @param status [String, Symbol, nil] only those that are completed, pending or failed
      # @param max_items [Integer, nil] where a walk through the pages stops
      # @return [List<Order>]
      # @raise [APIStatusError, APIConnectionError] when it is walked
      def list(page: nil, limit: nil, status: nil, max_items: nil)
        pages("listOrders", { "orders" => Order }, { page:, limit:, status: }, max_items)
      end

      # One order. Permission +orders:read+.
      #
      # @param order_id [Integer, String]
      # @return [Order]
      # @raise [NotFoundError] when the account has no such order
      # @raise [BeatMarketError] when the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(order_id)
        response = perform("getOrder", { order_id: })
        Order.new(response.record("order"), response)
      end

      # Buys a license. Permission +orders:write+. A payment that is declined gives an order too, whose +status+ is
      # failed.
      #
      # @param beat_id [Integer]
      # @param payment_method [String] the payment provider's identifier, never a card number
      # @param license_type [String, Symbol, nil] basic (default), premium, unlimited or exclusive
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters that name this purchase: for 24 hours a
      #   second call with the same key buys nothing and answers the first one's order. Without it every call is a
      #   purchase of its own, and only the tries within the call share a key
      # @return [Order]
      # @raise [InvalidRequestError] 400; 409 when the beat is sold, held or your own
      # @raise [NotFoundError] when there is no such beat
      # @raise [BeatMarketError] when the key is none; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(beat_id:, payment_method:, license_type: nil, idempotency_key: nil)
        unless idempotency_key.nil? || idempotency_key.match?(/\A[\x21-\x7e]{1,255}\z/)
          raise BeatMarketError, "An idempotency_key has 1 to 255 visible ASCII characters"
        end

        headers = { "Idempotency-Key" => idempotency_key }.compact
        response = perform("createOrder", body: { beat_id:, payment_method:, license_type: }.compact, headers: headers)
        Order.new(response.record("order"), response)
      end
    end
  end
end
