# frozen_string_literal: true

require_relative "model"

module BeatMarket
  # The beat of an order at the time of the purchase.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  class OrderedBeat < Model
    field :id, :title, :producer_id, :producer_name
  end

  # What a buyer has to do before an order can be completed.
  #
  # @!attribute [r] type
  #   @return [String] redirect, or a later one
  # @!attribute [r] url
  #   @return [String] the page on which the buyer finishes the payment: open it in the buyer's browser
  class NextAction < Model
    field :type, :url
  end

  # The purchase of a license.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] status
  #   @return [String] completed, pending, failed, or a later one; completed and failed are final
  # @!attribute [r] beat
  #   @return [OrderedBeat]
  # @!attribute [r] license_type
  #   @return [String] basic, premium, unlimited, exclusive, or a later one
  # @!attribute [r] amount
  #   @return [Integer, Float] in +currency+, at most two decimals
  # @!attribute [r] currency
  #   @return [String] ISO 4217
  # @!attribute [r] payment_method
  #   @return [String] the payment provider's identifier
  # @!attribute [r] failure_reason
  #   @return [String, nil] a sentence; nil unless failed
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds
  # @!attribute [r] completed_at
  #   @return [String, nil] the same; nil unless completed
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] what was paid back of +amount+; 0 without a refund
  # @!attribute [r] refunded_at
  #   @return [String, nil] of the last refund, ISO 8601, UTC; nil without one. The order stays completed
  # @!attribute [r] client_secret
  #   @return [String, nil] with Stripe: what Stripe's own scripts finish the payment with in the buyer's browser; nil unless
  #     pending
  # @!attribute [r] next_action
  #   @return [NextAction, nil] what the buyer has to do, such as 3-D Secure; nil unless pending
  class Order < Model
    field :id, :status, :license_type, :amount, :currency, :payment_method, :failure_reason, :created_at, :completed_at,
          :refunded_amount, :refunded_at, :client_secret, beat: OrderedBeat, next_action: NextAction
  end

  # A file of an order, as it was when the beat was bought.
  #
  # @!attribute [r] kind
  #   @return [String] mp3, wav, stems, license, or a later one
  # @!attribute [r] filename
  #   @return [String] what a browser saves it as
  # @!attribute [r] bytes
  #   @return [Integer]
  # @!attribute [r] sha256
  #   @return [String] of its bytes, in hex
  # @!attribute [r] url
  #   @return [String] signed: downloads the file without a key until it expires, so keep it secret
  # @!attribute [r] expires_at
  #   @return [String] ISO 8601, UTC, whole seconds: 15 minutes ahead
  class OrderFile < Model
    field :kind, :filename, :bytes, :sha256, :url, :expires_at
  end

  # The license of an order.
  #
  # @!attribute [r] id
  #   @return [String] a UUID
  # @!attribute [r] url
  #   @return [String] its public page, which says whether it is valid, and never who bought
  # @!attribute [r] jws
  #   @return [String] its facts, signed (JWS, EdDSA) with a key of /.well-known/jwks.json
  # @!attribute [r] type
  #   @return [String] basic, premium, unlimited, exclusive, or a later one
  # @!attribute [r] terms_version
  #   @return [String] the version of the terms that it was sold under
  # @!attribute [r] status
  #   @return [String] valid, refunded, or a later one
  class OrderLicense < Model
    field :id, :url, :jws, :type, :terms_version, :status
  end

  # What an order brings.
  #
  # @!attribute [r] files
  #   @return [Array<OrderFile>] in the order mp3, wav, stems, license; empty once the order is refunded in full
  # @!attribute [r] license
  #   @return [OrderLicense]
  class OrderFiles < Model
    field files: [OrderFile], license: OrderLicense
  end

  # The beat of a sale.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String] when it was bought
  class SoldBeat < Model
    field :id, :title
  end

  # Who bought.
  #
  # @!attribute [r] name
  #   @return [String] when they bought, as their license names them
  class Buyer < Model
    field :name
  end

  # A completed order of a beat of your account.
  #
  # @!attribute [r] id
  #   @return [Integer] of the order
  # @!attribute [r] beat
  #   @return [SoldBeat]
  # @!attribute [r] license_type
  #   @return [String] basic, premium, unlimited, exclusive, or a later one
  # @!attribute [r] amount
  #   @return [Integer, Float] in +currency+, at most two decimals
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] what of it went back to the buyer; 0 without a refund
  # @!attribute [r] currency
  #   @return [String] ISO 4217
  # @!attribute [r] buyer
  #   @return [Buyer]
  # @!attribute [r] license_id
  #   @return [String, nil] a UUID; nil until the license is issued
  # @!attribute [r] downloads
  #   @return [Integer] files of the order that the buyer has downloaded, each counted once
  # @!attribute [r] completed_at
  #   @return [String] ISO 8601, UTC, whole seconds
  # @!attribute [r] refunded_at
  #   @return [String, nil] of the last refund, ISO 8601, UTC; nil without one
  class Sale < Model
    field :id, :license_type, :amount, :refunded_amount, :currency, :license_id, :downloads, :completed_at, :refunded_at,
          beat: SoldBeat, buyer: Buyer
  end
end
