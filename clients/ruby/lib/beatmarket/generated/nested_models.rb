# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../model"

module BeatMarket
  # The genre of a beat or producer.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] name
  #   @return [String]
  class GenreName < Model
    field :id, :name
  end

  # How many beats have a value, or are in a range of values.
  #
  # @!attribute [r] value
  #   @return [GenreName, String, Integer, Float] The key as in beats; "" for an unknown key.
  # @!attribute [r] count
  #   @return [Integer]
  # @!attribute [r] max
  #   @return [Integer, Float, nil] The highest bpm of the range, as for +bpm_max+.
  class FacetCount < Model
    field :count, :max, value: GenreName
  end

  # How many beats have each value, by requested facet.
  #
  # @!attribute [r] genre
  #   @return [Array<FacetCount>, nil] The most frequent genre comes first.
  # @!attribute [r] key
  #   @return [Array<FacetCount>, nil] The most frequent key comes first.
  # @!attribute [r] bpm
  #   @return [Array<FacetCount>, nil] Ranges of ten, the slowest first.
  # @!attribute [r] price
  #   @return [Array<FacetCount>, nil] At most ten ranges, the lowest first.
  # @!attribute [r] tag
  #   @return [Array<FacetCount>, nil] The 100 most frequent tags, the most frequent first.
  class Facets < Model
    field genre: [FacetCount], key: [FacetCount], bpm: [FacetCount], price: [FacetCount], tag: [FacetCount]
  end

  # A license of a beat and its price.
  #
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] price
  #   @return [Integer, Float]
  # @!attribute [r] available
  #   @return [Boolean] Whether the license can be bought now. False for every license while the exclusive one is being
  #     bought, and after it is sold.
  class License < Model
    field :type, :price, :available
  end

  # Limits of a license that its producer changed.
  #
  # @!attribute [r] copies
  #   @return [Integer, nil]
  # @!attribute [r] streams
  #   @return [Integer, nil]
  # @!attribute [r] videos
  #   @return [Integer, nil]
  # @!attribute [r] radio_stations
  #   @return [Integer, nil]
  # @!attribute [r] paid_performances
  #   @return [Integer, nil]
  # @!attribute [r] years
  #   @return [Integer, nil]
  class LicenseLimits < Model
    field :copies, :streams, :videos, :radio_stations, :paid_performances, :years
  end

  # Whether a license is sold, its price, and its limits.
  #
  # @!attribute [r] sold
  #   @return [Boolean]
  # @!attribute [r] price
  #   @return [Integer, Float] The price, also of a license that is not sold.
  # @!attribute [r] limits
  #   @return [LicenseLimits] The limits that the producer changed.
  class LicenseSetting < Model
    field :sold, :price, limits: LicenseLimits
  end

  # Which licenses of a beat are sold, and with which limits.
  #
  # @!attribute [r] basic
  #   @return [LicenseSetting]
  # @!attribute [r] premium
  #   @return [LicenseSetting]
  # @!attribute [r] unlimited
  #   @return [LicenseSetting]
  # @!attribute [r] exclusive
  #   @return [LicenseSetting]
  class LicenseSettings < Model
    field basic: LicenseSetting, premium: LicenseSetting, unlimited: LicenseSetting, exclusive: LicenseSetting
  end

  # Prices of the licenses other than the basic one.
  #
  # @!attribute [r] premium
  #   @return [Integer, Float, nil]
  # @!attribute [r] unlimited
  #   @return [Integer, Float, nil]
  # @!attribute [r] exclusive
  #   @return [Integer, Float, nil]
  class LicensePrices < Model
    field :premium, :unlimited, :exclusive
  end

  # Whether a license is to be sold, and its limits.
  #
  # @!attribute [r] sold
  #   @return [Boolean, nil] Whether the license is sold.
  # @!attribute [r] limits
  #   @return [LicenseLimits, nil] Your own limits, which replace your earlier ones. Nil means any number. A limit that
  #     is not named is as in the terms.
  class NewLicenseSetting < Model
    field :sold, limits: LicenseLimits
  end

  # Which licenses of a beat are to be sold, and with which limits.
  #
  # @!attribute [r] basic
  #   @return [NewLicenseSetting, nil]
  # @!attribute [r] premium
  #   @return [NewLicenseSetting, nil]
  # @!attribute [r] unlimited
  #   @return [NewLicenseSetting, nil]
  # @!attribute [r] exclusive
  #   @return [NewLicenseSetting, nil]
  class NewLicenseSettings < Model
    field basic: NewLicenseSetting, premium: NewLicenseSetting, unlimited: NewLicenseSetting,
          exclusive: NewLicenseSetting
  end

  # How similar a beat is, and why.
  #
  # @!attribute [r] score
  #   @return [Integer, Float] The similarity. 1 is a perfect match.
  # @!attribute [r] tempo_ratio
  #   @return [Integer, Float] This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if this beat is about
  #     twice as fast.
  # @!attribute [r] bpm_difference_percent
  #   @return [Integer, Float] The difference of the tempos in percent, after +tempo_ratio+ halves or doubles one of
  #     them, with two decimals.
  # @!attribute [r] key_relation
  #   @return [String] The relation of the keys on the circle of fifths. +other+ also if a key is unknown.
  # @!attribute [r] same_genre
  #   @return [Boolean]
  class Similarity < Model
    field :score, :tempo_ratio, :bpm_difference_percent, :key_relation, :same_genre
  end

  # All results of a search, by type.
  #
  # @!attribute [r] beats
  #   @return [Integer]
  # @!attribute [r] producers
  #   @return [Integer]
  class SearchTotals < Model
    field :beats, :producers
  end

  # The filters that the service found in the text of a search, by parameter.
  #
  # @!attribute [r] q
  #   @return [String] The words of the search.
  # @!attribute [r] bpm_min
  #   @return [Integer, nil]
  # @!attribute [r] bpm_max
  #   @return [Integer, nil]
  # @!attribute [r] key
  #   @return [String, nil] The key, in the form of the parameter +key+.
  # @!attribute [r] price_min
  #   @return [Integer, Float, nil]
  # @!attribute [r] price_max
  #   @return [Integer, Float, nil]
  # @!attribute [r] widened
  #   @return [Hash{String => String}, nil] The typed tempo and the wider range that was searched instead, because
  #     nothing matches the tempo together with the rest.
  # @!attribute [r] corrected
  #   @return [Hash{String => String}, nil] The corrected words, each with its replacement.
  # @!attribute [r] ignored
  #   @return [Array<String>, nil] The parts of the search text that were ignored, because nothing matches them together
  #     with the rest.
  class Interpretation < Model
    field :q, :bpm_min, :bpm_max, :key, :price_min, :price_max, :widened, :corrected, :ignored
  end

  # The beat of an order, as it was when it was bought.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  class OrderBeat < Model
    field :id, :title, :producer_id, :producer_name
  end

  # What the buyer has to do to pay.
  #
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] url
  #   @return [String] The page on which the buyer completes the payment.
  class NextAction < Model
    field :type, :url
  end

  # A license that a checkout buys.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] upgrades_license
  #   @return [String, nil] The license that the item upgrades or renews. Nil if it does neither.
  # @!attribute [r] credit
  #   @return [Integer, Float] The credit for the license in +upgrades_license+, which is subtracted from the current
  #     price. At most two decimals.
  # @!attribute [r] discount
  #   @return [Integer, Float] The amount of the item's discount, with at most two decimals.
  # @!attribute [r] amount
  #   @return [Integer, Float] The price at the time of the checkout, less credit and discount. At most two decimals.
  class CheckoutItem < Model
    field :beat_id, :license_type, :title, :producer_name, :upgrades_license, :credit, :discount, :amount
  end

  # What a discount takes off a checkout.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] name
  #   @return [String]
  # @!attribute [r] code
  #   @return [String, nil] The code of the discount. Nil if it needs none.
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount of the discount, with at most two decimals.
  class AppliedDiscount < Model
    field :id, :name, :code, :amount
  end

  # A license that a new checkout is to buy.
  #
  # @!attribute [r] beat_id
  #   @return [Integer] The beat of which to buy a license. Each beat may be named once.
  # @!attribute [r] license_type
  #   @return [String, nil] The license to buy. Default: basic.
  # @!attribute [r] upgrades_license
  #   @return [String, nil] The id of a license of the beat that the account has. The item upgrades or renews it, and
  #     costs the difference. Discounts do not apply to it.
  class NewCheckoutItem < Model
    field :beat_id, :license_type, :upgrades_license
  end

  # A license of a quote, with its price.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] upgrades_license
  #   @return [String, nil] The license that the item upgrades or renews. Nil if it does neither.
  # @!attribute [r] credit
  #   @return [Integer, Float] The credit for the license in +upgrades_license+, which is subtracted from the current
  #     price. At most two decimals.
  # @!attribute [r] price
  #   @return [Integer, Float] Today's price, less the credit. At most two decimals.
  # @!attribute [r] discount
  #   @return [Integer, Float] The amount of the discount, with at most two decimals.
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount to pay, with at most two decimals.
  # @!attribute [r] discount_id
  #   @return [Integer, nil] The discount that reduces the price. Nil if no discount applies.
  class QuoteItem < Model
    field :beat_id, :license_type, :title, :producer_name, :upgrades_license, :credit, :price, :discount, :amount,
          :discount_id
  end

  # What a discount would take off.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] name
  #   @return [String]
  # @!attribute [r] code
  #   @return [String, nil] The code of the discount. Nil if it needs none.
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount of the discount, with at most two decimals.
  class QuoteDiscount < Model
    field :id, :name, :code, :amount
  end

  # A discount that was tried, and why it applies or not.
  #
  # @!attribute [r] id
  #   @return [Integer, nil] The id of the discount. Nil for an unknown code.
  # @!attribute [r] name
  #   @return [String, nil]
  # @!attribute [r] kind
  #   @return [String, nil]
  # @!attribute [r] code
  #   @return [String, nil] The code of the discount. Nil if it needs none.
  # @!attribute [r] applied
  #   @return [Boolean] Whether the discount applies.
  # @!attribute [r] reason
  #   @return [String] A sentence: the effect of the discount, or why it does not apply.
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount of the discount, with at most two decimals.
  class QuoteRule < Model
    field :id, :name, :kind, :code, :applied, :reason, :amount
  end

  # A license to quote.
  #
  # @!attribute [r] beat_id
  #   @return [Integer] The beat of which to buy a license. Each beat may be named once.
  # @!attribute [r] license_type
  #   @return [String, nil] The license to buy. Default: basic.
  # @!attribute [r] upgrades_license
  #   @return [String, nil] The id of a license of the beat that the account has. The item upgrades or renews it, and
  #     costs the difference. Discounts do not apply to it.
  class NewQuoteItem < Model
    field :beat_id, :license_type, :upgrades_license
  end

  # The beat of a sale, with its title when it was bought.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  class SaleBeat < Model
    field :id, :title
  end

  # The buyer of a sale.
  #
  # @!attribute [r] name
  #   @return [String]
  class SaleBuyer < Model
    field :name
  end

  # The clause that an answer follows from.
  #
  # @!attribute [r] clause
  #   @return [String] The clause that decides the answer, or the clause that comes nearest.
  # @!attribute [r] text
  #   @return [String] The sentence of the clause, word for word as in the certificate.
  # @!attribute [r] limit
  #   @return [Integer, nil] The number in the clause. Nil for any number, and for clauses without one.
  # @!attribute [r] used
  #   @return [Integer, nil] The usage that the holder has reported. Nil without a report.
  class LicenseReason < Model
    field :clause, :text, :limit, :used
  end

  # What to buy so that the use is allowed.
  #
  # @!attribute [r] upgrade
  #   @return [String, nil] The higher license to buy. Nil if +renew+ is the remedy.
  # @!attribute [r] renew
  #   @return [String, nil] The same license, to be bought again. Nil if +upgrade+ is the remedy.
  # @!attribute [r] price
  #   @return [Integer, Float] The price today, before discounts. With the holder's key: the difference of an upgrade.
  # @!attribute [r] currency
  #   @return [String]
  # @!attribute [r] valid_until
  #   @return [String, nil] The last day of the license if it is bought today. Nil if it has no end.
  class LicenseRemedy < Model
    field :upgrade, :renew, :price, :currency, :valid_until
  end

  # How much of a use a source counted in a month.
  #
  # @!attribute [r] use
  #   @return [String] What is counted: streams, copies or videos.
  # @!attribute [r] quantity
  #   @return [Integer] The number of streams, copies or videos in the period.
  # @!attribute [r] period
  #   @return [String] A month, such as <tt>2027-01</tt>.
  # @!attribute [r] source
  #   @return [String] The source of the number, such as the distributor.
  class UsageReport < Model
    field :use, :quantity, :period, :source
  end

  # How much of a use is reported, and the limit.
  #
  # @!attribute [r] use
  #   @return [String] What is counted: streams, copies or videos.
  # @!attribute [r] used
  #   @return [Integer] The sum over all periods and sources, including the usage before an upgrade.
  # @!attribute [r] limit
  #   @return [Integer, nil] The limit in the clause. Nil for any number.
  class UsageSum < Model
    field :use, :used, :limit
  end

  # How much of the storage an account's files take, and may take.
  #
  # @!attribute [r] used_bytes
  #   @return [Integer] The size of all files of the account, in bytes: incomplete and ready uploads, the files of beats
  #     in every state, replaced files that buyers keep, and the profile picture.
  # @!attribute [r] max_bytes
  #   @return [Integer, nil] The limit of the account's plan, in bytes. Nil if there is none.
  class StorageUse < Model
    field :used_bytes, :max_bytes
  end

  # The license to buy for more of the use.
  #
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] price
  #   @return [Integer, Float] The price of the upgrade today.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  class UsageRemedy < Model
    field :license_type, :price, :currency
  end

  # What goes wrong while a sandbox advances.
  #
  # @!attribute [r] receiver
  #   @return [String, nil] +down+: the receivers of webhooks respond with 503.
  # @!attribute [r] from
  #   @return [String, nil] When the fault begins, as a duration from the present time of the sandbox, such as +PT0S+.
  # @!attribute [r] to
  #   @return [String, nil] When the fault ends, as a duration from the present time of the sandbox, such as +P3D+.
  # @!attribute [r] refunds
  #   @return [String, nil] +bounce+: refunds of simulated buyers are accepted, and fail later.
  # @!attribute [r] disputes
  #   @return [String, nil] +open+: the banks of simulated buyers open disputes.
  # @!attribute [r] payouts
  #   @return [String, nil] +fail+: the banks of producers return payouts.
  # @!attribute [r] share
  #   @return [Integer, Float, nil] The share of orders or payouts with the fault, from 0 to 1 in hundredths.
  class SandboxFault < Model
    field :receiver, :from, :to, :refunds, :disputes, :payouts, :share
  end
end
