# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.orders+: the purchases of the key's account.
    class Orders < Resource
      # Lists orders, newest first. Needs the permission +orders:read+.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] orders per page, 1 to 100; 20 by default
      # @param status [String, Symbol, nil] only orders with this status: completed, pending or failed
      # @param max_items [Integer, nil] maximum number of orders in an iteration
      # @return [List<Order>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, status: nil, max_items: nil)
        pages("listOrders", { "orders" => Order }, { page:, limit:, status: }, max_items)
      end

      # Gets an order. Needs the permission +orders:read+.
      #
      # @param order_id [Integer, String]
      # @return [Order]
      # @raise [NotFoundError] if the account has no such order
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(order_id)
        response = perform("getOrder", { order_id: })
        Order.new(response.record("order"), response)
      end

      # Buys a license. Needs the permission +orders:write+. A declined payment returns a failed order.
      #
      # @param beat_id [Integer]
      # @param payment_method [String] the payment provider's identifier, never a card number
      # @param license_type [String, Symbol, nil] basic (default), premium, unlimited or exclusive
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters. Calls with the same key within 24 hours
      #   place one order. Default: a random key, shared by the attempts of this call
      # @return [Order]
      # @raise [InvalidRequestError] 400; 409 if the beat is sold, being bought or your own
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(beat_id:, payment_method:, license_type: nil, idempotency_key: nil)
        fields = { beat_id:, payment_method:, license_type: }.compact
        response = perform("createOrder", body: fields, headers: idempotency(idempotency_key))
        Order.new(response.record("order"), response)
      end
    end
  end
end
