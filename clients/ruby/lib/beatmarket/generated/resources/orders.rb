# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.orders+. The purchases of the key's account.
    class Orders < Resource
      # List your orders. Returns the orders of the key's account, newest first, one page at a time. Needs the
      # permission +orders:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param status [String, Symbol, nil] Only orders in this state. One of +completed+, +pending+, +failed+.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<Order>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, status: nil, max_items: nil)
        query = { page:, limit:, status: }
        pages("listOrders", { "orders" => Order }, query, max_items)
      end

      # Buy a license. Buys a license of a beat and returns the order. With +expected_amount+ and +currency+, it buys
      # only at the price that the buyer agreed to. A declined payment is an order, too: +failed+, with its
      # +failure_reason+. A repeated request with the same <tt>Idempotency-Key</tt> within 24 hours does not buy again.
      # Needs the permission +orders:write+.
      #
      # @param beat_id [Integer] The beat to buy.
      # @param payment_method [String] How to pay: the payment provider's identifier of a payment method, never a card
      #   number. With Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa,
      #   pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover,
      #   pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required,
      #   pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
      #   pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
      #   pm_card_refundFail.
      # @param license_type [String, Symbol, nil] The license to buy. An exclusive one sells once, and takes the beat
      #   out of the catalogue. Default: basic. One of +basic+, +premium+, +unlimited+, +exclusive+.
      # @param expected_amount [Numeric, nil] The price that the buyer agreed to, in the currency's main unit. If the
      #   license has another price today, the order is 409 and nothing is charged.
      # @param currency [String, nil] The currency that the buyer agreed to, by ISO 4217. If prices are in another
      #   currency, the order is 409.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [Order]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(
        beat_id:, payment_method:, license_type: nil, expected_amount: nil, currency: nil, idempotency_key: nil
      )
        fields = { beat_id:, payment_method:, license_type:, expected_amount:, currency: }
        object(perform("createOrder", body: fields.compact, idempotency_key:), Order, "order", EMPTY)
      end

      # Get one of your orders. Returns an order of the key's account. An order of another account is 404. Needs the
      # permission +orders:read+.
      #
      # @param order_id [Integer, String] Identifier of the order.
      # @return [Order]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(order_id)
        object(perform("getOrder", "/orders/#{@transport.segment(order_id)}"), Order, "order")
      end

      # Get the files of an order. Returns the files of a completed order, as they were at the purchase, and the
      # license. Links to files are signed and valid for 15 minutes; another request gets new ones. The response waits
      # up to ten seconds for files that are not ready. After that it is 503 with <tt>Retry-After</tt>. Needs the
      # permission +orders:read+.
      #
      # @param order_id [Integer, String] Identifier of the order.
      # @return [OrderFiles]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def files(order_id)
        data(perform("listOrderFiles", "/orders/#{@transport.segment(order_id)}/files"), OrderFiles)
      end

      # List the invoices of an order. Returns the invoice of the sale and its corrections, the oldest first: a credit
      # note for each refund and lost dispute, and an invoice for money that came back. Each has a link to its PDF
      # (Factur-X), valid for 15 minutes. An order has no invoice if it was free, is not completed, or was sold while no
      # seller was set. Only for the buyer; a key with +sales:read+ also gets those of its account's sales, as copies
      # without the buyer's address and VAT number. Needs the permission +orders:read+.
      #
      # @param order_id [Integer, String] Identifier of the order.
      # @return [Collection<Invoice>]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def invoices(order_id)
        array(perform("listOrderInvoices", "/orders/#{@transport.segment(order_id)}/invoices"), Invoice, "invoices")
      end

      # Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with the same bytes
      # every time. Resume an interrupted download with +Range+, and with the ETag in <tt>If-Range</tt>. The response
      # waits up to ten seconds for files that are not ready. After that it is 503 with <tt>Retry-After</tt>. It is 410
      # once the order is refunded in full. Writes into a file. Resumes after a lost connection. The timeout is the
      # longest wait for the next bytes. Needs the permission +orders:read+.
      #
      # @param order_id [Integer, String] The order.
      # @param path [String, Pathname] The file. An existing file is replaced.
      # @return [OrderArchive]
      # @raise [InvalidRequestError] with status 409, if the order is not completed
      # @raise [NotFoundError] if the account has no such order
      # @raise [BeatMarketError] if the file cannot be written
      # @raise [APIStatusError, APIConnectionError]
      def archive(order_id, path)
        transfer_archive(order_id, path)
      end

      # Downloads a file of an order. Writes to the destination with .part after its name, and renames that file when it
      # is complete. A later call resumes the .part file. Resumes after a lost connection, and requests a new link when
      # the old one has expired. The timeout is the longest wait for the next bytes. A complete file is not downloaded
      # again. The key is not sent to the link, which may lead to another host. Needs the permission +orders:read+.
      #
      # @param order_id [Integer, String] The order.
      # @param kind [String, Symbol] mp3, wav, stems or license.
      # @param destination [String, Pathname] The file. An existing file is replaced at the end.
      # @yieldparam progress [DownloadProgress] Called when it is known where the download starts, and after each chunk.
      # @return [DownloadedFile]
      # @raise [ChecksumError] if the checksum of the file is wrong; the file is deleted
      # @raise [BeatMarketError] if the order has no such file, or the destination cannot be written
      # @raise [InvalidRequestError] with status 409, if the order is not completed
      # @raise [NotFoundError] if the account has no such order
      # @raise [APIStatusError, APIConnectionError]
      def download(order_id, kind, destination, &progress)
        transfer_download(order_id, kind, destination, progress)
      end

      # Downloads all files of an order into a folder, one after the other as {#download} does. Uses the service's
      # names, without characters that a file system refuses or that lead out of the folder. Needs the permission
      # +orders:read+.
      #
      # @param order_id [Integer, String] The order.
      # @param folder [String, Pathname] Created if it does not exist.
      # @yieldparam progress [DownloadProgress] As for {#download}.
      # @return [Array<DownloadedFile>]
      # @raise [ChecksumError] if the checksum of the file is wrong; the file is deleted
      # @raise [BeatMarketError] if the order was refunded and has no files, or the folder cannot be written
      # @raise [NotFoundError] if the account has no such order
      # @raise [APIStatusError, APIConnectionError]
      def download_all(order_id, folder, &progress)
        transfer_download_all(order_id, folder, progress)
      end
    end
  end
end
