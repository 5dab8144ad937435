# frozen_string_literal: true

require_relative "../delivery"
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
        object("getOrder", Order, "order", { order_id: })
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
        object("createOrder", Order, "order", body: fields, headers: idempotency(idempotency_key))
      end

      # Gets the files of a completed order as signed links, which live for 15 minutes, and its license. Needs the permission
      # +orders:read+. While files are being made the service waits for ten seconds itself; these extend the timeout.
      #
      # @param order_id [Integer, String]
      # @return [OrderFiles]
      # @raise [InvalidRequestError] 409 if the order is not completed
      # @raise [NotFoundError] if the account has no such order
      # @raise [ServerError] 503 if the files are still being made, after all retries
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def files(order_id) = Delivery.new(@transport, order_id).files

      # Downloads a file of an order. Its bytes go to +destination.part+; once all have come and their SHA-256 is that of the
      # listing, they get their name. Goes on where a connection breaks, with a new link where one expires, and, in a later
      # call, with the .part of one that raised. A file that is there already is not fetched. The client's timeout is how long
      # it waits for the next bytes. The key is not sent to the link, which may lead to another host.
      #
      # @param order_id [Integer, String]
      # @param kind [String, Symbol] mp3, wav, stems or license
      # @param destination [String, Pathname] the file; one that is there is replaced in the end
      # @yieldparam progress [DownloadProgress] once it is known where to go on from, and as bytes come
      # @return [DownloadedFile]
      # @raise [ChecksumError] if other bytes came than the service lists; they are deleted
      # @raise [BeatMarketError] if the order has no such file, or the destination cannot be written
      # @raise [InvalidRequestError] 409 if the order is not completed
      # @raise [NotFoundError] if the account has no such order
      # @raise [APIStatusError, APIConnectionError]
      def download(order_id, kind, destination, &progress)
        Delivery.new(@transport, order_id, progress).download(kind.to_s, destination.to_s)
      end

      # Downloads all files of an order, as {#download} does, under the names that the service gives them, without what a file
      # system refuses or what leads out of the folder.
      #
      # @param order_id [Integer, String]
      # @param folder [String, Pathname] made if it is not there
      # @yieldparam progress [DownloadProgress] as for {#download}
      # @return [Array<DownloadedFile>]
      # @raise [ChecksumError] as for {#download}
      # @raise [BeatMarketError] if the order has no files, since it was refunded, or the folder cannot be written
      # @raise [APIStatusError, APIConnectionError]
      def download_all(order_id, folder, &progress) = Delivery.new(@transport, order_id, progress).download_all(folder.to_s)
    end
  end
end
