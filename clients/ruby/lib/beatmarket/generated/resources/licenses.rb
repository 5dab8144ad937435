# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.licenses+. What licenses allow, and reports of their use.
    class Licenses < Resource
      # Ask whether a license allows a use. Answers +yes+, +no+ or +unknown+ by the terms under which the license was
      # sold, with the clause that decides and the purchase that would allow the use. The id of a certificate is enough.
      # Needs no API key.
      #
      # @param license_id [String] Identifier of the license: the UUID in its certificate.
      # @param use [String] The use, such as +streams+ or +content_id+: a word from the list of uses at
      #   /portal/docs/clauses#uses.
      # @param quantity [Integer, nil] The total number of streams, copies or videos. Default: 1.
      # @param territory [String, nil] The country of the use, by ISO 3166-1, such as +DE+.
      # @param on [String, nil] The day of the use, in UTC. Default: today.
      # @return [LicenseVerdict]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def may(license_id, use:, quantity: nil, territory: nil, on: nil)
        fields = { use:, quantity:, territory:, on: }
        object(perform("askLicense", "/licenses/#{@transport.segment(license_id)}/may", body: fields.compact), LicenseVerdict, "verdict", EMPTY)
      end

      # List the reported usage of a license. Returns the usage reports of one of the account's licenses, and their sums
      # with the limits of the license. Needs the permission +orders:read+.
      #
      # @param license_id [String] Identifier of the license: the UUID in its certificate.
      # @return [LicenseUsage]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def usage(license_id)
        object(perform("listLicenseUsage", "/licenses/#{@transport.segment(license_id)}/usage"), LicenseUsage, "usage")
      end

      # Report the usage of a license. Stores how many streams, copies or videos a source counted in a month. A report
      # of the same use, period and source replaces the former quantity, so it can be repeated and corrected. Returns
      # the report and the sums. At 80 and 100 percent of a limit the holder gets the event +license.usage+ and a mail.
      # Needs the permission +orders:write+.
      #
      # @param license_id [String] Identifier of the license: the UUID in its certificate.
      # @param use [String, Symbol] What is counted: streams, copies or videos.
      # @param quantity [Integer] The number of streams, copies or videos in the period.
      # @param period [String] A month, such as <tt>2027-01</tt>.
      # @param source [String] The source of the number, such as the distributor.
      # @return [LicenseUsage]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def report_usage(license_id, use:, quantity:, period:, source:)
        fields = { use:, quantity:, period:, source: }
        object(perform("reportLicenseUsage", "/licenses/#{@transport.segment(license_id)}/usage", body: fields.compact), LicenseUsage, "usage", EMPTY)
      end

      # Upgrade or renew a license. Buys a higher license for the difference: the price of the higher license today,
      # less the payments for the present license and those before it. With the same type it renews the license at
      # today's price; this is possible from 90 days before its last day. Returns the order, whose license replaces the
      # present one as soon as it is completed. With +expected_amount+ and +currency+, it buys only at the amount that
      # the buyer agreed to. A declined payment is an order, too. A repeated request with the same
      # <tt>Idempotency-Key</tt> within 24 hours does not buy again. Needs the permission +orders:write+.
      #
      # @param license_id [String] Identifier of the license: the UUID in its certificate.
      # @param license_type [String, Symbol] A license higher than the present one; or the same one, to renew it. One of
      #   +basic+, +premium+, +unlimited+, +exclusive+.
      # @param payment_method [String] How to pay: the payment provider's identifier of a payment method, never a card
      #   number. With Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa,
      #   pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover,
      #   pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required,
      #   pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
      #   pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
      #   pm_card_refundFail.
      # @param expected_amount [Numeric, nil] The price that the buyer agreed to, in the currency's main unit. If the
      #   license has another price today, the order is 409 and nothing is charged.
      # @param currency [String, nil] The currency that the buyer agreed to, by ISO 4217. If prices are in another
      #   currency, the order is 409.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [Order]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def upgrade(license_id, license_type:, payment_method:, expected_amount: nil, currency: nil, idempotency_key: nil)
        fields = { license_type:, payment_method:, expected_amount:, currency: }
        object(perform("upgradeLicense", "/licenses/#{@transport.segment(license_id)}/upgrade", body: fields.compact, idempotency_key:), Order, "order", EMPTY)
      end
    end
  end
end
