# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "nested_models"

module BeatMarket
  # A beat in a list.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] user_id
  #   @return [Integer] The producing user.
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] genre
  #   @return [GenreName]
  # @!attribute [r] price
  #   @return [Integer, Float] The price of the basic license, or of the next one if the basic one is not sold; at most
  #     two decimals.
  # @!attribute [r] duration
  #   @return [Integer] Whole seconds; 0 when unknown.
  # @!attribute [r] bpm
  #   @return [Integer] Tempo in beats per minute.
  # @!attribute [r] key
  #   @return [String] Musical key such as "C# minor"; "" when unknown.
  # @!attribute [r] audio_url
  #   @return [String]
  # @!attribute [r] cover_image
  #   @return [String]
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] play_count
  #   @return [Integer]
  # @!attribute [r] download_count
  #   @return [Integer]
  class Beat < Model
    field :id, :title, :user_id, :producer_name, :price, :duration, :bpm, :key, :audio_url, :cover_image, :created_at,
          :play_count, :download_count, genre: GenreName
  end

  # The position of a page in its list.
  #
  # @!attribute [r] total
  #   @return [Integer]
  # @!attribute [r] per_page
  #   @return [Integer]
  # @!attribute [r] current_page
  #   @return [Integer]
  # @!attribute [r] last_page
  #   @return [Integer]
  # @!attribute [r] next_page_url
  #   @return [String, nil] Follow it to walk the whole list; nil on the last page.
  # @!attribute [r] prev_page_url
  #   @return [String, nil]
  class Pagination < Model
    field :total, :per_page, :current_page, :last_page, :next_page_url, :prev_page_url
  end

  # The results of the analysis of a recording. A value that was not found is nil.
  #
  # @!attribute [r] bpm
  #   @return [Integer, Float, nil] Beats per minute; nil if the recording has none.
  # @!attribute [r] bpm_confidence
  #   @return [Integer, Float, nil] How sure the tempo is, from 0 to 1.
  # @!attribute [r] bpm_alternative
  #   @return [Integer, Float, nil] The next best tempo, often twice or half of it.
  # @!attribute [r] key
  #   @return [String, nil] The musical key, such as <tt>C# minor</tt>; nil if the recording has none.
  # @!attribute [r] key_confidence
  #   @return [Integer, Float, nil] How sure the key is, from 0 to 1.
  # @!attribute [r] key_alternative
  #   @return [String, nil] The next best key.
  # @!attribute [r] duration
  #   @return [Integer] In seconds.
  # @!attribute [r] format
  #   @return [String] The format, by the file's bytes: +wav+, +aiff+, +flac+, +mp3+, +ogg+ or +m4a+. The last three are
  #     lossy: licenses of such a recording bring no WAV.
  # @!attribute [r] sample_rate
  #   @return [Integer] In Hz.
  # @!attribute [r] channels
  #   @return [Integer]
  # @!attribute [r] loudness_lufs
  #   @return [Integer, Float, nil] Integrated loudness by EBU R128; nil for silence.
  # @!attribute [r] true_peak_dbtp
  #   @return [Integer, Float, nil] The true peak in dBTP; nil for silence.
  # @!attribute [r] clipped_samples
  #   @return [Integer] Samples in runs at full scale.
  # @!attribute [r] silence_start
  #   @return [Integer, Float] Seconds of silence before the first sound.
  # @!attribute [r] silence_end
  #   @return [Integer, Float] Seconds of silence after the last sound.
  class Analysis < Model
    field :bpm, :bpm_confidence, :bpm_alternative, :key, :key_confidence, :key_alternative, :duration, :format,
          :sample_rate, :channels, :loudness_lufs, :true_peak_dbtp, :clipped_samples, :silence_start, :silence_end
  end

  # A public profile.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] username
  #   @return [String]
  # @!attribute [r] display_name
  #   @return [String]
  # @!attribute [r] bio
  #   @return [String, nil]
  # @!attribute [r] location
  #   @return [String, nil]
  # @!attribute [r] website
  #   @return [String, nil]
  # @!attribute [r] avatar_url
  #   @return [String, nil]
  # @!attribute [r] is_producer
  #   @return [Boolean]
  # @!attribute [r] beats_count
  #   @return [Integer] Beats on sale.
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  class User < Model
    field :id, :username, :display_name, :bio, :location, :website, :avatar_url, :is_producer, :beats_count, :created_at
  end

  # A genre of the catalogue.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] name
  #   @return [String]
  # @!attribute [r] slug
  #   @return [String]
  # @!attribute [r] beats_count
  #   @return [Integer] Beats on sale in this genre.
  class Genre < Model
    field :id, :name, :slug, :beats_count
  end

  # A license that the account bought, or tried to.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] status
  #   @return [String] pending becomes completed or failed; both are final.
  # @!attribute [r] beat
  #   @return [OrderBeat] The beat as it was when it was bought.
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] payment_method
  #   @return [String]
  # @!attribute [r] failure_reason
  #   @return [String, nil] A sentence; nil unless failed.
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] completed_at
  #   @return [String, nil] Nil unless completed.
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of +amount+ that was paid back by refunds and lost disputes. At most two
  #     decimals.
  # @!attribute [r] refunded_at
  #   @return [String, nil] When money was last paid back; nil if none was. The order stays completed.
  # @!attribute [r] client_secret
  #   @return [String, nil] With Stripe: the secret with which Stripe's own scripts finish the payment in the buyer's
  #     browser. Nil unless pending.
  # @!attribute [r] next_action
  #   @return [NextAction, nil] The buyer's next step, such as 3-D Secure: open +url+. Nil unless pending.
  class Order < Model
    field :id, :status, :license_type, :amount, :currency, :payment_method, :failure_reason, :created_at, :completed_at,
          :refunded_amount, :refunded_at, :client_secret, beat: OrderBeat, next_action: NextAction
  end

  # One payment of one or more licenses.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] url
  #   @return [String, nil] The page on which a person pays. Open it in a browser. Nil only while the provider cannot be
  #     reached.
  # @!attribute [r] status
  #   @return [String] open becomes completed with the payment, expired at +expires_at+, or cancelled when an item is
  #     gone.
  # @!attribute [r] amount
  #   @return [Integer, Float] The sum of the items. At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] success_url
  #   @return [String, nil]
  # @!attribute [r] cancel_url
  #   @return [String, nil]
  # @!attribute [r] failure_reason
  #   @return [String, nil] A sentence; nil unless cancelled.
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] expires_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] items
  #   @return [Array<CheckoutItem>]
  # @!attribute [r] discounts
  #   @return [Array<AppliedDiscount>] The discounts that were applied, each with the amount that it took off.
  # @!attribute [r] orders
  #   @return [Array<Order>] One for each item, once the payment came through. Empty before.
  class Checkout < Model
    field :id, :url, :status, :amount, :currency, :success_url, :cancel_url, :failure_reason, :created_at, :expires_at,
          items: [CheckoutItem], discounts: [AppliedDiscount], orders: [Order]
  end

  # What a purchase would cost, with every discount that was tried.
  #
  # @!attribute [r] amount
  #   @return [Integer, Float] What a checkout of the items charges. At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] items
  #   @return [Array<QuoteItem>] In the order of the request.
  # @!attribute [r] discounts
  #   @return [Array<QuoteDiscount>] The discounts that take something off.
  # @!attribute [r] rules
  #   @return [Array<QuoteRule>] Every discount that was tried.
  class Quote < Model
    field :amount, :currency, items: [QuoteItem], discounts: [QuoteDiscount], rules: [QuoteRule]
  end

  # A completed order of a beat that the account sold.
  #
  # @!attribute [r] id
  #   @return [Integer] Identifier of the order.
  # @!attribute [r] beat
  #   @return [SaleBeat] With its title when it was bought.
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of the amount that was paid back; 0 without a refund.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] buyer
  #   @return [SaleBuyer] The buyer's name, as on the license.
  # @!attribute [r] license_id
  #   @return [String, nil] Identifier of the license; nil until it is issued.
  # @!attribute [r] downloads
  #   @return [Integer] Number of files that the buyer has downloaded.
  # @!attribute [r] completed_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] refunded_at
  #   @return [String, nil] Of the last refund; nil without one.
  class Sale < Model
    field :id, :license_type, :amount, :refunded_amount, :currency, :license_id, :downloads, :completed_at,
          :refunded_at, beat: SaleBeat, buyer: SaleBuyer
  end

  # A file of an order. Its +url+ needs no key until it expires.
  #
  # @!attribute [r] kind
  #   @return [String] +mp3+: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. +wav+: the recording,
  #     if it is lossless. +stems+: the producer's ZIP. +license+: the certificate, a PDF.
  # @!attribute [r] filename
  #   @return [String] The name under which a browser saves it.
  # @!attribute [r] bytes
  #   @return [Integer] Size of the file.
  # @!attribute [r] sha256
  #   @return [String] Hash of the file's bytes.
  # @!attribute [r] url
  #   @return [String] A signed link: any client that has it can download the file until it expires, without a key. It
  #     supports +Range+.
  # @!attribute [r] expires_at
  #   @return [String] ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.
  class OrderFile < Model
    field :kind, :filename, :bytes, :sha256, :url, :expires_at
  end

  # The license of an order.
  #
  # @!attribute [r] id
  #   @return [String]
  # @!attribute [r] url
  #   @return [String] The public page that says whether the license is valid.
  # @!attribute [r] jws
  #   @return [String] The certificate's facts, signed (JWS, EdDSA) with a key of <tt>/.well-known/jwks.json</tt>.
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] terms_version
  #   @return [String] The version of the terms of the sale.
  # @!attribute [r] status
  #   @return [String] +expired+ once its last day is over, +refunded+ once the order is refunded in full, +replaced+
  #     once an upgrade or renewal replaced it.
  class IssuedLicense < Model
    field :id, :url, :jws, :type, :terms_version, :status
  end

  # The files and the license of a completed order.
  #
  # @!attribute [r] files
  #   @return [Array<OrderFile>] The files of the license, in the order mp3, wav, stems, license. Empty once refunded in
  #     full.
  # @!attribute [r] license
  #   @return [IssuedLicense]
  class OrderFiles < Model
    field files: [OrderFile], license: IssuedLicense
  end

  # An invoice or a credit note of an order.
  #
  # @!attribute [r] number
  #   @return [String] <tt>INV-2026-000042</tt>, or <tt>CN-2026-000007</tt> of a credit note.
  # @!attribute [r] kind
  #   @return [String] +credit_note+ takes back what was paid.
  # @!attribute [r] issued_at
  #   @return [String] UTC time.
  # @!attribute [r] amount
  #   @return [Integer, Float] Tax included; positive in both kinds. At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217 code.
  # @!attribute [r] filename
  #   @return [String] A name for the file: its number.
  # @!attribute [r] url
  #   @return [String] The PDF. The link needs no key.
  # @!attribute [r] expires_at
  #   @return [String] When the link ends; UTC time.
  class Invoice < Model
    field :number, :kind, :issued_at, :amount, :currency, :filename, :url, :expires_at
  end

  # Whether a license allows a use, and why.
  #
  # @!attribute [r] license_id
  #   @return [String]
  # @!attribute [r] status
  #   @return [String] Of the license, today.
  # @!attribute [r] replaced_by
  #   @return [String, nil] The license that replaced it by an upgrade or renewal: ask that one. Nil without one, and
  #     until its certificate is issued.
  # @!attribute [r] use
  #   @return [String]
  # @!attribute [r] quantity
  #   @return [Integer]
  # @!attribute [r] territory
  #   @return [String, nil] As in the request; nil for no certain country.
  # @!attribute [r] on
  #   @return [String] The day of the answer.
  # @!attribute [r] allowed
  #   @return [String] +unknown+: the terms do not speak of this use.
  # @!attribute [r] because
  #   @return [LicenseReason, nil] Nil only if no clause comes near.
  # @!attribute [r] remedy
  #   @return [LicenseRemedy, nil] The purchase that would allow the use; nil unless the answer is no, and if no
  #     purchase would.
  class LicenseVerdict < Model
    field :license_id, :status, :replaced_by, :use, :quantity, :territory, :on, :allowed, because: LicenseReason,
          remedy: LicenseRemedy
  end

  # The usage that the holder of a license has reported.
  #
  # @!attribute [r] license_id
  #   @return [String]
  # @!attribute [r] reports
  #   @return [Array<UsageReport>] By use, period and source.
  # @!attribute [r] sums
  #   @return [Array<UsageSum>] One for each use.
  class LicenseUsage < Model
    field :license_id, reports: [UsageReport], sums: [UsageSum]
  end

  # A beat among the favorites of an account.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] created_at
  #   @return [String, nil] ISO 8601, UTC, whole seconds. Nil for a beat that is no favorite.
  class Favorite < Model
    field :beat_id, :created_at
  end

  # A producer whom an account follows.
  #
  # @!attribute [r] user_id
  #   @return [Integer] The producer.
  # @!attribute [r] created_at
  #   @return [String, nil] ISO 8601, UTC, whole seconds. Nil for a producer whom the account does not follow.
  class Follow < Model
    field :user_id, :created_at
  end

  # A list of beats in the order that its owner chose.
  #
  # @!attribute [r] id
  #   @return [String]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] visibility
  #   @return [String] +private+: only for the account. +public+: for everyone who has its id.
  # @!attribute [r] user_id
  #   @return [Integer] The id of its owner.
  # @!attribute [r] owner_name
  #   @return [String]
  # @!attribute [r] url
  #   @return [String] The address of its page.
  # @!attribute [r] beats_count
  #   @return [Integer] Beats that are on sale.
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] updated_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  class Playlist < Model
    field :id, :title, :description, :visibility, :user_id, :owner_name, :url, :beats_count, :created_at, :updated_at
  end

  # A file that was uploaded, or whose bytes are still arriving.
  #
  # @!attribute [r] id
  #   @return [String]
  # @!attribute [r] kind
  #   @return [String]
  # @!attribute [r] filename
  #   @return [String] As sent. A text, never a path.
  # @!attribute [r] bytes
  #   @return [Integer] Of the whole file.
  # @!attribute [r] received
  #   @return [Integer] The number of bytes that have arrived.
  # @!attribute [r] sha256
  #   @return [String, nil] Of the file as it was sent; nil until it is stored.
  # @!attribute [r] status
  #   @return [String] receiving becomes analysing with the last byte, then ready or rejected.
  # @!attribute [r] rejection
  #   @return [String, nil] Why it was rejected, as a sentence; nil unless it was.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] Of audio that is ready; nil otherwise.
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] expires_at
  #   @return [String, nil] When it is deleted, unless a beat uses it by then; nil when one does.
  class Upload < Model
    field :id, :kind, :filename, :bytes, :received, :sha256, :status, :rejection, :created_at, :expires_at,
          analysis: Analysis
  end

  # A beat with its description, tags and licenses; one of your own with its status too.
  #
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] tags
  #   @return [Array<String>]
  # @!attribute [r] licenses
  #   @return [Array<License>]
  # @!attribute [r] updated_at
  #   @return [String] ISO 8601, UTC, whole seconds.
  # @!attribute [r] waveform_url
  #   @return [String, nil] The waveform of the whole beat, as JSON of audiowaveform's version 2; nil without one.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] The results of the analysis; nil for a recording that was not analysed.
  # @!attribute [r] status
  #   @return [String, nil] Only for the beat's producer, like all fields below.
  # @!attribute [r] bpm_source
  #   @return [String, nil] The source of +bpm+; nil while it is unknown.
  # @!attribute [r] key_source
  #   @return [String, nil] The source of +key+; nil while it is unknown.
  # @!attribute [r] preview_tag
  #   @return [String, nil] What is mixed into the preview: +default+, +none+, or the id of an upload.
  # @!attribute [r] license_settings
  #   @return [LicenseSettings, nil] Which licenses are sold, and with which limits.
  # @!attribute [r] free_download
  #   @return [Boolean, nil] Whether the tagged MP3 is free for an address.
  # @!attribute [r] publish_at
  #   @return [String, nil] The moment of the planned publishing; nil without one. It stays until the beat is on sale,
  #     or could not be published.
  # @!attribute [r] rejection
  #   @return [String, nil] Why the last publishing failed, as a sentence; nil if it did not.
  class BeatDetail < Beat
    field :description, :tags, :updated_at, :waveform_url, :status, :bpm_source, :key_source, :preview_tag,
          :free_download, :publish_at, :rejection, licenses: [License], analysis: Analysis,
          license_settings: LicenseSettings
  end

  # A change of a listed beat.
  #
  # @!attribute [r] position
  #   @return [Integer] Increases from change to change; there may be gaps.
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] beat
  #   @return [BeatDetail, nil] The beat as it is now, in the form of <tt>GET /beats/:beat_id</tt>; nil when it is
  #     withdrawn now, and in every change of type +withdrawn+.
  class Change < Model
    field :position, :type, :beat_id, beat: BeatDetail
  end

  # A beat that only its producer still sees.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] withdrawn_at
  #   @return [String]
  class BeatWithdrawal < Model
    field :beat_id, :title, :producer_id, :producer_name, :withdrawn_at
  end

  # A beat that the operator of the marketplace removed.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] taken_down_at
  #   @return [String]
  class BeatTakedown < Model
    field :beat_id, :title, :producer_id, :producer_name, :taken_down_at
  end

  # A beat whose exclusive license was sold.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] sold_at
  #   @return [String]
  class ExclusiveSale < Model
    field :beat_id, :title, :producer_id, :producer_name, :sold_at
  end

  # A completed purchase of a beat.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  class Purchase < Model
    field :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id
  end

  # The refund of an order.
  #
  # @!attribute [r] order_id
  #   @return [Integer]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of +amount+ that was paid back so far by refunds and lost disputes. At most two
  #     decimals.
  # @!attribute [r] refunded_at
  #   @return [String, nil] When money was last paid back; nil if all of it was returned.
  class OrderRefund < Model
    field :order_id, :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id,
          :refunded_amount, :refunded_at
  end

  # An order that failed after it was placed.
  #
  # @!attribute [r] order_id
  #   @return [Integer]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] failure_reason
  #   @return [String] A sentence.
  class OrderFailure < Model
    field :order_id, :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id,
          :failure_reason
  end

  # A license that was upgraded or renewed.
  #
  # @!attribute [r] order_id
  #   @return [Integer]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] replaced_license_id
  #   @return [String] The license that the new one replaces.
  class LicenseUpgrade < Model
    field :order_id, :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id,
          :replaced_license_id
  end

  # The usage of a license reached a part of its limit.
  #
  # @!attribute [r] license_id
  #   @return [String]
  # @!attribute [r] order_id
  #   @return [Integer]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] use
  #   @return [String] The use: the name of its clause.
  # @!attribute [r] percent
  #   @return [Integer] 80 or 100: the percentage of the limit that the usage has reached.
  # @!attribute [r] used
  #   @return [Integer]
  # @!attribute [r] limit
  #   @return [Integer]
  # @!attribute [r] remedy
  #   @return [UsageRemedy, nil] The license with a higher limit; nil if none is for sale.
  class LicenseUsageReached < Model
    field :license_id, :order_id, :beat_id, :title, :license_type, :use, :percent, :used, :limit, remedy: UsageRemedy
  end

  # Why a beat could not be published.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] producer_id
  #   @return [Integer]
  # @!attribute [r] is_on_sale
  #   @return [Boolean] Whether the beat is on sale as it was before; if not, it is a draft, or stays as it was sold.
  # @!attribute [r] reason
  #   @return [String] A sentence, as +rejection+ of the beat.
  class PublishingFailure < Model
    field :beat_id, :title, :producer_id, :is_on_sale, :reason
  end

  # A payment of the marketplace to a producer.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] amount
  #   @return [Integer, Float] At most two decimals.
  # @!attribute [r] currency
  #   @return [String] ISO 4217.
  # @!attribute [r] status
  #   @return [String]
  # @!attribute [r] destination
  #   @return [String] What receives the money: a bank account, or one at Stripe.
  # @!attribute [r] failure_reason
  #   @return [String, nil] Nil unless +status+ is +failed+.
  # @!attribute [r] created_at
  #   @return [String]
  # @!attribute [r] sent_at
  #   @return [String, nil]
  # @!attribute [r] settled_at
  #   @return [String, nil] When the payout arrived or failed; nil before.
  class Payout < Model
    field :id, :amount, :currency, :status, :destination, :failure_reason, :created_at, :sent_at, :settled_at
  end

  # A beat with its details, and what changed in it.
  #
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] tags
  #   @return [Array<String>]
  # @!attribute [r] licenses
  #   @return [Array<License>]
  # @!attribute [r] waveform_url
  #   @return [String, nil] The waveform of the whole beat, as JSON of audiowaveform's version 2; nil without one.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] The results of the analysis; nil for a recording that was not analysed.
  # @!attribute [r] available
  #   @return [Boolean] Whether licenses of it are for sale.
  # @!attribute [r] changed
  #   @return [Array<String>] Names of the fields that changed.
  class BeatUpdated < Beat
    field :description, :tags, :waveform_url, :available, :changed, licenses: [License], analysis: Analysis
  end

  # A public profile and what changed in it.
  #
  # @!attribute [r] changed
  #   @return [Array<String>] Names of the fields that changed.
  class UserUpdated < User
    field :changed
  end

  # An event of the account, as webhooks carry it.
  #
  # @!attribute [r] id
  #   @return [String] The event's identifier; the same as in a webhook delivery.
  # @!attribute [r] created
  #   @return [Integer] When it happened, Unix seconds.
  # @!attribute [r] type
  #   @return [String] Types may be added.
  # @!attribute [r] data
  #   @return [Model] By type: the +data+ of the webhook of that name.
  class Event < Model
    # The class of +data+ by event type.
    DATA = {
      "beat.created" => Beat,
      "beat.updated" => BeatUpdated,
      "beat.withdrawn" => BeatWithdrawal,
      "beat.taken_down" => BeatTakedown,
      "beat.sold_exclusively" => ExclusiveSale,
      "beat.purchased" => Purchase,
      "order.refunded" => OrderRefund,
      "order.failed" => OrderFailure,
      "license.upgraded" => LicenseUpgrade,
      "license.usage" => LicenseUsageReached,
      "upload.ready" => Upload,
      "upload.rejected" => Upload,
      "beat.publishing_failed" => PublishingFailure,
      "payout.sent" => Payout,
      "payout.paid" => Payout,
      "payout.failed" => Payout,
      "user.registered" => User,
      "user.updated" => UserUpdated
    }.freeze

    field :id, :created, :type, data: DATA
  end

  # A request of the account, as the request log keeps it.
  #
  # @!attribute [r] id
  #   @return [String] The <tt>X-Request-Id</tt> of the response.
  # @!attribute [r] created_at
  #   @return [String] When it arrived, ISO 8601, UTC, milliseconds.
  # @!attribute [r] method
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] As called.
  # @!attribute [r] query
  #   @return [String] As called, without the question mark and without secrets.
  # @!attribute [r] operation
  #   @return [String, nil] The operation of the path; nil where there is none.
  # @!attribute [r] status
  #   @return [Integer]
  # @!attribute [r] duration_ms
  #   @return [Integer, Float] How long the response took, in milliseconds.
  # @!attribute [r] key_id
  #   @return [Integer] The key of the request.
  # @!attribute [r] key_name
  #   @return [String, nil] Nil once the key is deleted.
  # @!attribute [r] error_code
  #   @return [String, nil] The +code+ of its error; nil without one.
  # @!attribute [r] refused_by
  #   @return [String, nil] The reason of the refusal, such as +limit:minute+ or +parameter:genre+; nil without one.
  # @!attribute [r] version
  #   @return [String, nil] The dated version of the API that answered, such as <tt>2026-11-20</tt>; nil where none did.
  class LoggedRequest < Model
    field :id, :created_at, :method, :path, :query, :operation, :status, :duration_ms, :key_id, :key_name, :error_code,
          :refused_by, :version
  end

  # Requests, newest first, and the position after them.
  #
  # @!attribute [r] requests
  #   @return [Array<LoggedRequest>]
  # @!attribute [r] next
  #   @return [String, nil] The position to continue from, as +after+ of the next call; nil when the whole log was
  #     searched.
  # @!attribute [r] searched_to
  #   @return [String, nil] The time of the oldest request that was searched; nil when the whole log was.
  class RequestPage < Model
    field :next, :searched_to, requests: [LoggedRequest]
  end

  # A request with everything that the request log keeps.
  #
  # @!attribute [r] id
  #   @return [String] The <tt>X-Request-Id</tt> of the response.
  # @!attribute [r] created_at
  #   @return [String] When it arrived, ISO 8601, UTC, milliseconds.
  # @!attribute [r] method
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] As called.
  # @!attribute [r] query
  #   @return [String] As called, without the question mark and without secrets.
  # @!attribute [r] operation
  #   @return [String, nil] The operation of the path; nil where there is none.
  # @!attribute [r] status
  #   @return [Integer]
  # @!attribute [r] duration_ms
  #   @return [Integer, Float] How long the response took, in milliseconds.
  # @!attribute [r] key_id
  #   @return [Integer] The key of the request.
  # @!attribute [r] key_name
  #   @return [String, nil] Nil once the key is deleted.
  # @!attribute [r] error_code
  #   @return [String, nil] The +code+ of its error; nil without one.
  # @!attribute [r] refused_by
  #   @return [String, nil] The reason of the refusal, such as +limit:minute+ or +parameter:genre+; nil without one.
  # @!attribute [r] version
  #   @return [String, nil] The dated version of the API that answered, such as <tt>2026-11-20</tt>; nil where none did.
  # @!attribute [r] error_message
  #   @return [String, nil] The +message+ of its error.
  # @!attribute [r] error_details
  #   @return [String, nil] The +details+ of its error, without secrets.
  # @!attribute [r] reason
  #   @return [String, nil] Why it was refused or failed, in words.
  # @!attribute [r] advice
  #   @return [String, nil] The remedy.
  # @!attribute [r] headers
  #   @return [Hash{String => String}] The headers of the request that are kept. Never its key, nor cookies.
  # @!attribute [r] user_agent
  #   @return [String] Empty without one.
  # @!attribute [r] body
  #   @return [String, nil] The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card.
  #     Nil without one.
  # @!attribute [r] client_address
  #   @return [String] The IP address of the client.
  # @!attribute [r] from_explorer
  #   @return [Boolean] Whether it was sent from the explorer, which has its own limits.
  # @!attribute [r] event_ids
  #   @return [Array<String>] The events that it caused, oldest first.
  class LoggedRequestDetail < Model
    field :id, :created_at, :method, :path, :query, :operation, :status, :duration_ms, :key_id, :key_name, :error_code,
          :refused_by, :version, :error_message, :error_details, :reason, :advice, :headers, :user_agent, :body,
          :client_address, :from_explorer, :event_ids
  end

  # A service of your own, with its own time.
  #
  # @!attribute [r] id
  #   @return [String] 16 letters and digits.
  # @!attribute [r] seed
  #   @return [String] What it grew from.
  # @!attribute [r] catalogue
  #   @return [String] +demo+ or +empty+.
  # @!attribute [r] now
  #   @return [String] The time of the sandbox.
  # @!attribute [r] base_url
  #   @return [String] Where it is reached without a key; the API is below <tt>/v1</tt>.
  # @!attribute [r] created_at
  #   @return [String] Real time.
  # @!attribute [r] expires_at
  #   @return [String] Real time: when it is deleted, unless a request reaches it before.
  class Sandbox < Model
    field :id, :seed, :catalogue, :now, :base_url, :created_at, :expires_at
  end

  # What an advance did.
  #
  # @!attribute [r] sandbox
  #   @return [Sandbox]
  # @!attribute [r] is_complete
  #   @return [Boolean] False where the time of a call did not suffice.
  # @!attribute [r] remaining
  #   @return [String] What is left, as +by+ of the next call.
  # @!attribute [r] orders
  #   @return [Integer] Orders that simulated buyers placed.
  # @!attribute [r] refunds
  #   @return [Integer] Refunds that they wanted.
  # @!attribute [r] disputes
  #   @return [Integer] Disputes that their banks opened.
  # @!attribute [r] payouts
  #   @return [Integer] Payouts to producers that were sent.
  class SandboxAdvance < Model
    field :is_complete, :remaining, :orders, :refunds, :disputes, :payouts, sandbox: Sandbox
  end

  # An event that was caused, with the ids of what it is about. All of it exists, and stays.
  #
  # @!attribute [r] type
  #   @return [String] The type of the event.
  # @!attribute [r] order_id
  #   @return [Integer, nil] The order that was placed.
  # @!attribute [r] license_id
  #   @return [String, nil] The license that was upgraded, or whose usage was reported.
  # @!attribute [r] beat_id
  #   @return [Integer, nil] The beat that was made, changed or sold.
  # @!attribute [r] upload_id
  #   @return [String, nil] The upload whose analysis causes the event.
  # @!attribute [r] payout_id
  #   @return [Integer, nil] The payout to the account.
  # @!attribute [r] user_id
  #   @return [Integer, nil] The account that was made or changed.
  class TestEvent < Model
    field :type, :order_id, :license_id, :beat_id, :upload_id, :payout_id, :user_id
  end

  # A beat and why it is similar.
  #
  # @!attribute [r] similarity
  #   @return [Similarity]
  class SimilarBeat < Beat
    field similarity: Similarity
  end

  # A public profile with figures about its beats.
  #
  # @!attribute [r] play_count
  #   @return [Integer] Plays of all beats on sale.
  # @!attribute [r] genres
  #   @return [Array<GenreName>] Most used first.
  class Producer < User
    field :play_count, genres: [GenreName]
  end

  # A playlist with its beats.
  #
  # @!attribute [r] beats
  #   @return [Array<Beat>]
  class PlaylistDetail < Playlist
    field beats: [Beat]
  end

  # A new sandbox with the only copy of its key.
  #
  # @!attribute [r] api_key
  #   @return [String] A key with all permissions. It is shown this once.
  # @!attribute [r] webhook_secret
  #   @return [String, nil] Verifies the deliveries to +webhook_url+; nil without one, and in a fork, whose secret stays
  #     the same.
  class CreatedSandbox < Sandbox
    field :api_key, :webhook_secret
  end
end
