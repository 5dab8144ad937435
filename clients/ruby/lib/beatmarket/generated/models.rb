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
  #   @return [Integer] The user who produced the beat.
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] genre
  #   @return [GenreName]
  # @!attribute [r] price
  #   @return [Integer, Float] The price of the basic license, or of the next one if the basic one is not sold. At most
  #     two decimals.
  # @!attribute [r] duration
  #   @return [Integer] The duration in whole seconds; 0 if it is unknown.
  # @!attribute [r] bpm
  #   @return [Integer] The tempo in beats per minute.
  # @!attribute [r] key
  #   @return [String] The musical key, such as "C# minor"; "" if it is unknown.
  # @!attribute [r] audio_url
  #   @return [String]
  # @!attribute [r] cover_image
  #   @return [String]
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
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
  #   @return [String, nil] The address of the next page. Nil on the last page.
  # @!attribute [r] prev_page_url
  #   @return [String, nil]
  class Pagination < Model
    field :total, :per_page, :current_page, :last_page, :next_page_url, :prev_page_url
  end

  # The results of the analysis of a recording. An unknown value is nil.
  #
  # @!attribute [r] bpm
  #   @return [Integer, Float, nil] The tempo in beats per minute. Nil if the recording has none.
  # @!attribute [r] bpm_confidence
  #   @return [Integer, Float, nil] How sure the tempo is, from 0 to 1.
  # @!attribute [r] bpm_alternative
  #   @return [Integer, Float, nil] The second most likely tempo, often half or double of the first.
  # @!attribute [r] key
  #   @return [String, nil] The musical key, such as <tt>C# minor</tt>. Nil if the recording has none.
  # @!attribute [r] key_confidence
  #   @return [Integer, Float, nil] How sure the key is, from 0 to 1.
  # @!attribute [r] key_alternative
  #   @return [String, nil] The second most likely key.
  # @!attribute [r] duration
  #   @return [Integer] The duration in seconds.
  # @!attribute [r] format
  #   @return [String] The format, by the file's bytes: +wav+, +aiff+, +flac+, +mp3+, +ogg+ or +m4a+. The last three are
  #     lossy; licenses of such a recording include no WAV.
  # @!attribute [r] sample_rate
  #   @return [Integer] The sample rate in Hz.
  # @!attribute [r] channels
  #   @return [Integer]
  # @!attribute [r] loudness_lufs
  #   @return [Integer, Float, nil] The integrated loudness by EBU R128. Nil for silence.
  # @!attribute [r] true_peak_dbtp
  #   @return [Integer, Float, nil] The true peak in dBTP. Nil for silence.
  # @!attribute [r] clipped_samples
  #   @return [Integer] The number of samples in runs at full scale.
  # @!attribute [r] silence_start
  #   @return [Integer, Float] The number of seconds of silence before the first sound.
  # @!attribute [r] silence_end
  #   @return [Integer, Float] The number of seconds of silence after the last sound.
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
  #   @return [Integer] The number of beats on sale.
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
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
  #   @return [Integer] The number of beats on sale in this genre.
  class Genre < Model
    field :id, :name, :slug, :beats_count
  end

  # The purchase of a license by the account, also if it is pending or failed.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] status
  #   @return [String] The status. +pending+ becomes +completed+ or +failed+; both are final.
  # @!attribute [r] beat
  #   @return [OrderBeat] The beat as it was at the time of the purchase.
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] The price of the license, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] payment_method
  #   @return [String]
  # @!attribute [r] failure_reason
  #   @return [String, nil] Why the order failed, as a sentence. Nil unless it failed.
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] completed_at
  #   @return [String, nil] When the order was completed. Nil unless it was.
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of +amount+ that was paid back by refunds and lost disputes, with at most two
  #     decimals.
  # @!attribute [r] refunded_at
  #   @return [String, nil] When money was last paid back. Nil if none was. The order stays completed.
  # @!attribute [r] client_secret
  #   @return [String, nil] Only with Stripe: the secret with which Stripe's scripts complete the payment in the buyer's
  #     browser. Nil unless the order is pending.
  # @!attribute [r] next_action
  #   @return [NextAction, nil] The buyer's next step, such as 3-D Secure: open +url+. Nil unless the order is pending.
  class Order < Model
    field :id, :status, :license_type, :amount, :currency, :payment_method, :failure_reason, :created_at, :completed_at,
          :refunded_amount, :refunded_at, :client_secret, beat: OrderBeat, next_action: NextAction
  end

  # One payment of one or more licenses.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] url
  #   @return [String, nil] The page on which a person pays. Open it in a browser. Nil only while the provider is
  #     unreachable.
  # @!attribute [r] status
  #   @return [String] The status. +open+ becomes +completed+ with the payment, +expired+ at +expires_at+, or
  #     +cancelled+ when it cannot be fulfilled, for example because an item is no longer for sale.
  # @!attribute [r] amount
  #   @return [Integer, Float] The sum of the items, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] success_url
  #   @return [String, nil]
  # @!attribute [r] cancel_url
  #   @return [String, nil]
  # @!attribute [r] failure_reason
  #   @return [String, nil] Why the checkout was cancelled, as a sentence. Nil unless it was.
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] expires_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] items
  #   @return [Array<CheckoutItem>]
  # @!attribute [r] discounts
  #   @return [Array<AppliedDiscount>] The applied discounts, each with its amount.
  # @!attribute [r] orders
  #   @return [Array<Order>] One order for each item, once the payment has succeeded. Empty before.
  class Checkout < Model
    field :id, :url, :status, :amount, :currency, :success_url, :cancel_url, :failure_reason, :created_at, :expires_at,
          items: [CheckoutItem], discounts: [AppliedDiscount], orders: [Order]
  end

  # The price of a purchase, with every discount that was considered.
  #
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount that a checkout of the items charges, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] items
  #   @return [Array<QuoteItem>] The items, in the order of the request.
  # @!attribute [r] discounts
  #   @return [Array<QuoteDiscount>] The discounts that apply.
  # @!attribute [r] rules
  #   @return [Array<QuoteRule>] Every discount that was considered.
  class Quote < Model
    field :amount, :currency, items: [QuoteItem], discounts: [QuoteDiscount], rules: [QuoteRule]
  end

  # A completed order of a beat that the account sold.
  #
  # @!attribute [r] id
  #   @return [Integer] Identifier of the order.
  # @!attribute [r] beat
  #   @return [SaleBeat] The beat, with its title at the time of the purchase.
  # @!attribute [r] license_type
  #   @return [String]
  # @!attribute [r] amount
  #   @return [Integer, Float] An amount with at most two decimals.
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of the amount that was paid back. 0 without a refund.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] buyer
  #   @return [SaleBuyer] The name of the buyer on the license.
  # @!attribute [r] license_id
  #   @return [String, nil] Identifier of the license. Nil until it is issued.
  # @!attribute [r] downloads
  #   @return [Integer] The number of files that the buyer has downloaded.
  # @!attribute [r] completed_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] refunded_at
  #   @return [String, nil] When the last refund was made. Nil if there is none.
  class Sale < Model
    field :id, :license_type, :amount, :refunded_amount, :currency, :license_id, :downloads, :completed_at,
          :refunded_at, beat: SaleBeat, buyer: SaleBuyer
  end

  # A file of an order.
  #
  # @!attribute [r] kind
  #   @return [String] The kind of the file. +mp3+: untagged, with 320 kbit/s, or with the bit rate of a lossy
  #     recording. +wav+: the recording, if it is lossless. +stems+: the producer's ZIP. +license+: the certificate, a
  #     PDF.
  # @!attribute [r] filename
  #   @return [String] The name under which a browser saves the file.
  # @!attribute [r] bytes
  #   @return [Integer] The size of the file in bytes.
  # @!attribute [r] sha256
  #   @return [String] The SHA-256 of the file, in hexadecimal.
  # @!attribute [r] url
  #   @return [String] A signed link. Every client that has it can download the file without a key until it expires.
  #     Supports +Range+.
  # @!attribute [r] expires_at
  #   @return [String] When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download that has
  #     begun is not interrupted.
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
  #   @return [String] The facts of the certificate, signed (JWS, EdDSA) with a key of <tt>/.well-known/jwks.json</tt>.
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] terms_version
  #   @return [String] The version of the terms at the time of the sale.
  # @!attribute [r] status
  #   @return [String] The status of the license: +expired+ after its last day, +refunded+ once the order is refunded in
  #     full, +replaced+ after an upgrade or renewal.
  class IssuedLicense < Model
    field :id, :url, :jws, :type, :terms_version, :status
  end

  # The files and the license of a completed order.
  #
  # @!attribute [r] files
  #   @return [Array<OrderFile>] The files of the license, in the order mp3, wav, stems, license. Empty once the order
  #     is refunded in full.
  # @!attribute [r] license
  #   @return [IssuedLicense]
  class OrderFiles < Model
    field files: [OrderFile], license: IssuedLicense
  end

  # An invoice or a credit note of an order.
  #
  # @!attribute [r] number
  #   @return [String] The number, such as <tt>INV-2026-000042</tt>, or <tt>CN-2026-000007</tt> for a credit note.
  # @!attribute [r] kind
  #   @return [String] The kind of the document. A +credit_note+ cancels what was paid back.
  # @!attribute [r] issued_at
  #   @return [String] When the document was issued, in UTC.
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount with tax, positive in both kinds. At most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] filename
  #   @return [String] A name for the file: the number of the document.
  # @!attribute [r] url
  #   @return [String] The address of the PDF, which needs no key.
  # @!attribute [r] expires_at
  #   @return [String] When the link expires, in UTC.
  class Invoice < Model
    field :number, :kind, :issued_at, :amount, :currency, :filename, :url, :expires_at
  end

  # Whether a license allows a use, and why.
  #
  # @!attribute [r] license_id
  #   @return [String]
  # @!attribute [r] status
  #   @return [String] The status of the license today.
  # @!attribute [r] replaced_by
  #   @return [String, nil] The license that replaced this one by an upgrade or a renewal. Send the question for that
  #     one. Nil if there is none, and until its certificate is issued.
  # @!attribute [r] use
  #   @return [String]
  # @!attribute [r] quantity
  #   @return [Integer]
  # @!attribute [r] territory
  #   @return [String, nil] The country in the request. Nil if the request has none.
  # @!attribute [r] on
  #   @return [String] The day that the answer is for.
  # @!attribute [r] allowed
  #   @return [String] Whether the license allows the use. +unknown+: the terms do not mention this use.
  # @!attribute [r] because
  #   @return [LicenseReason, nil] The reason for the answer. Nil only if no clause is about such a use.
  # @!attribute [r] remedy
  #   @return [LicenseRemedy, nil] The purchase that would allow the use. Nil unless the answer is no, and if no
  #     purchase would.
  class LicenseVerdict < Model
    field :license_id, :status, :replaced_by, :use, :quantity, :territory, :on, :allowed, because: LicenseReason,
          remedy: LicenseRemedy
  end

  # The usage of a license, as its holder has reported it.
  #
  # @!attribute [r] license_id
  #   @return [String]
  # @!attribute [r] reports
  #   @return [Array<UsageReport>] The reports, ordered by use, period and source.
  # @!attribute [r] sums
  #   @return [Array<UsageSum>] The sums, one for each use.
  class LicenseUsage < Model
    field :license_id, reports: [UsageReport], sums: [UsageSum]
  end

  # A beat among the favorites of an account.
  #
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] created_at
  #   @return [String, nil] When the beat was added: ISO 8601, UTC, whole seconds. Nil for a beat that is not a
  #     favorite.
  class Favorite < Model
    field :beat_id, :created_at
  end

  # A producer whom an account follows.
  #
  # @!attribute [r] user_id
  #   @return [Integer] The id of the producer.
  # @!attribute [r] created_at
  #   @return [String, nil] Since when the account follows the producer: ISO 8601, UTC, whole seconds. Nil if it does
  #     not.
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
  #   @return [String] Who can read the playlist. +private+: only the account. +public+: everyone who has its id.
  # @!attribute [r] user_id
  #   @return [Integer] The id of the owner.
  # @!attribute [r] owner_name
  #   @return [String]
  # @!attribute [r] url
  #   @return [String] The address of the playlist's page.
  # @!attribute [r] beats_count
  #   @return [Integer] The number of beats that are on sale.
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] updated_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  class Playlist < Model
    field :id, :title, :description, :visibility, :user_id, :owner_name, :url, :beats_count, :created_at, :updated_at
  end

  # A file that was uploaded, or of which some bytes have arrived.
  #
  # @!attribute [r] id
  #   @return [String]
  # @!attribute [r] kind
  #   @return [String]
  # @!attribute [r] filename
  #   @return [String] The name of the file, as sent. It is a text, never a path.
  # @!attribute [r] bytes
  #   @return [Integer] The size of the whole file in bytes.
  # @!attribute [r] received
  #   @return [Integer] The number of bytes that have arrived.
  # @!attribute [r] sha256
  #   @return [String, nil] The SHA-256 of the sent file. Nil until the file is stored.
  # @!attribute [r] status
  #   @return [String] The status. +receiving+ becomes +analysing+ with the last byte, then +ready+ or +rejected+.
  # @!attribute [r] rejection
  #   @return [String, nil] Why the upload was rejected, as a sentence. Nil unless it was.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] The results of the analysis. Nil unless the upload is audio and ready.
  # @!attribute [r] created_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] expires_at
  #   @return [String, nil] When the upload will be deleted, unless a beat uses it by then. Nil if a beat uses it.
  class Upload < Model
    field :id, :kind, :filename, :bytes, :received, :sha256, :status, :rejection, :created_at, :expires_at,
          analysis: Analysis
  end

  # A beat with its description, tags and licenses. Your own beats have their status, too.
  #
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] tags
  #   @return [Array<String>]
  # @!attribute [r] licenses
  #   @return [Array<License>]
  # @!attribute [r] updated_at
  #   @return [String] A time in ISO 8601, UTC, whole seconds.
  # @!attribute [r] waveform_url
  #   @return [String, nil] The waveform of the whole beat, as JSON of audiowaveform's version 2. Nil if there is none.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] The results of the analysis. Nil if the recording was not analysed.
  # @!attribute [r] status
  #   @return [String, nil] The status of the beat. Only its producer gets this field and those below.
  # @!attribute [r] bpm_source
  #   @return [String, nil] The source of +bpm+. Nil while it is unknown.
  # @!attribute [r] key_source
  #   @return [String, nil] The source of +key+. Nil while it is unknown.
  # @!attribute [r] preview_tag
  #   @return [String, nil] The tag that is mixed into the preview: +default+, +none+, or the id of an upload.
  # @!attribute [r] license_settings
  #   @return [LicenseSettings, nil] Which licenses are sold, and with which limits.
  # @!attribute [r] free_download
  #   @return [Boolean, nil] Whether people who give an e-mail address get the tagged MP3 for free.
  # @!attribute [r] publish_at
  #   @return [String, nil] The time of the planned publishing. Nil if none is planned. It stays until the beat is on
  #     sale or could not be published.
  # @!attribute [r] rejection
  #   @return [String, nil] Why the last publishing failed, as a sentence. Nil if it did not.
  class BeatDetail < Beat
    field :description, :tags, :updated_at, :waveform_url, :status, :bpm_source, :key_source, :preview_tag,
          :free_download, :publish_at, :rejection, licenses: [License], analysis: Analysis,
          license_settings: LicenseSettings
  end

  # A change of the catalogue: a beat was published, updated, sold or withdrawn.
  #
  # @!attribute [r] position
  #   @return [Integer] The position of the change. Positions increase and can have gaps.
  # @!attribute [r] type
  #   @return [String]
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] beat
  #   @return [BeatDetail, nil] The present state of the beat, in the form of <tt>GET /beats/:beat_id</tt>. Nil if it is
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
  #   @return [Integer, Float] The price of the license, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
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
  #   @return [Integer, Float] The price of the license, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] refunded_amount
  #   @return [Integer, Float] The part of +amount+ that refunds and lost disputes have paid back so far. At most two
  #     decimals.
  # @!attribute [r] refunded_at
  #   @return [String, nil] When money was last paid back. Nil if all refunds were returned.
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
  #   @return [Integer, Float] The price of the license, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] failure_reason
  #   @return [String] The reason as a sentence.
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
  #   @return [Integer, Float] The price of the license, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] purchaser_id
  #   @return [Integer]
  # @!attribute [r] replaced_license_id
  #   @return [String] The license that the new one replaces.
  class LicenseUpgrade < Model
    field :order_id, :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id,
          :replaced_license_id
  end

  # The report that the usage of a license has reached 80 or 100 percent of a limit.
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
  #   @return [String] What is counted: streams, copies or videos.
  # @!attribute [r] percent
  #   @return [Integer] The percentage of the limit that the usage has reached: 80 or 100.
  # @!attribute [r] used
  #   @return [Integer]
  # @!attribute [r] limit
  #   @return [Integer]
  # @!attribute [r] remedy
  #   @return [UsageRemedy, nil] The license with a higher limit. Nil if none is for sale.
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
  #   @return [Boolean] Whether the beat is on sale. If false, it is a draft, is withdrawn, or its exclusive license is
  #     sold.
  # @!attribute [r] reason
  #   @return [String] The reason as a sentence, the same as +rejection+ of the beat.
  class PublishingFailure < Model
    field :beat_id, :title, :producer_id, :is_on_sale, :reason
  end

  # A payment of the marketplace to a producer.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] amount
  #   @return [Integer, Float] The amount of the payout, with at most two decimals.
  # @!attribute [r] currency
  #   @return [String] The currency, by ISO 4217.
  # @!attribute [r] status
  #   @return [String]
  # @!attribute [r] destination
  #   @return [String] The kind of account that receives the money: a bank account, or an account at Stripe.
  # @!attribute [r] failure_reason
  #   @return [String, nil] Why the payout failed. Nil unless +status+ is +failed+.
  # @!attribute [r] created_at
  #   @return [String]
  # @!attribute [r] sent_at
  #   @return [String, nil]
  # @!attribute [r] settled_at
  #   @return [String, nil] When the payout arrived or failed. Nil before that.
  class Payout < Model
    field :id, :amount, :currency, :status, :destination, :failure_reason, :created_at, :sent_at, :settled_at
  end

  # A beat with its details, and the names of the changed fields.
  #
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] tags
  #   @return [Array<String>]
  # @!attribute [r] licenses
  #   @return [Array<License>]
  # @!attribute [r] waveform_url
  #   @return [String, nil] The waveform of the whole beat, as JSON of audiowaveform's version 2. Nil if there is none.
  # @!attribute [r] analysis
  #   @return [Analysis, nil] The results of the analysis. Nil if the recording was not analysed.
  # @!attribute [r] available
  #   @return [Boolean] Whether a license of the beat is for sale.
  # @!attribute [r] changed
  #   @return [Array<String>] The names of the changed fields.
  class BeatUpdated < Beat
    field :description, :tags, :waveform_url, :available, :changed, licenses: [License], analysis: Analysis
  end

  # A public profile, and the names of the changed fields.
  #
  # @!attribute [r] changed
  #   @return [Array<String>] The names of the changed fields.
  class UserUpdated < User
    field :changed
  end

  # An event of the account, with the same fields as a webhook.
  #
  # @!attribute [r] id
  #   @return [String] The event's identifier, the same as in a webhook delivery.
  # @!attribute [r] created
  #   @return [Integer] When it happened, in Unix seconds.
  # @!attribute [r] type
  #   @return [String] The type of the event. New types can be added.
  # @!attribute [r] data
  #   @return [Model] The data of the event: the +data+ of the webhook of this type.
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

  # A request of the account in the request log.
  #
  # @!attribute [r] id
  #   @return [String] The <tt>X-Request-Id</tt> of the response.
  # @!attribute [r] created_at
  #   @return [String] When the request arrived: ISO 8601, UTC, milliseconds.
  # @!attribute [r] method
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] The path of the request.
  # @!attribute [r] query
  #   @return [String] The query string of the request, without the question mark and without secrets.
  # @!attribute [r] operation
  #   @return [String, nil] The operation of the path. Nil if there is none.
  # @!attribute [r] status
  #   @return [Integer]
  # @!attribute [r] duration_ms
  #   @return [Integer, Float] The duration until the end of the response, in milliseconds.
  # @!attribute [r] key_id
  #   @return [Integer] The key of the request.
  # @!attribute [r] key_name
  #   @return [String, nil] The name of the key. Nil once the key is deleted.
  # @!attribute [r] error_code
  #   @return [String, nil] The +code+ of the error. Nil if there is none.
  # @!attribute [r] refused_by
  #   @return [String, nil] The reason of the refusal, such as +limit:minute+ or +parameter:genre+. Nil if there is
  #     none.
  # @!attribute [r] version
  #   @return [String, nil] The dated version of the API in which the response was written, such as <tt>2026-11-20</tt>.
  #     Nil if it has no version.
  class LoggedRequest < Model
    field :id, :created_at, :method, :path, :query, :operation, :status, :duration_ms, :key_id, :key_name, :error_code,
          :refused_by, :version
  end

  # A page of requests, the newest first.
  #
  # @!attribute [r] requests
  #   @return [Array<LoggedRequest>]
  # @!attribute [r] next
  #   @return [String, nil] The position to continue from: the +after+ of the next request. Nil when the whole log was
  #     searched.
  # @!attribute [r] searched_to
  #   @return [String, nil] The time of the oldest request that was searched. Nil when the whole log was searched.
  class RequestPage < Model
    field :next, :searched_to, requests: [LoggedRequest]
  end

  # A request with all that the request log stores.
  #
  # @!attribute [r] id
  #   @return [String] The <tt>X-Request-Id</tt> of the response.
  # @!attribute [r] created_at
  #   @return [String] When the request arrived: ISO 8601, UTC, milliseconds.
  # @!attribute [r] method
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] The path of the request.
  # @!attribute [r] query
  #   @return [String] The query string of the request, without the question mark and without secrets.
  # @!attribute [r] operation
  #   @return [String, nil] The operation of the path. Nil if there is none.
  # @!attribute [r] status
  #   @return [Integer]
  # @!attribute [r] duration_ms
  #   @return [Integer, Float] The duration until the end of the response, in milliseconds.
  # @!attribute [r] key_id
  #   @return [Integer] The key of the request.
  # @!attribute [r] key_name
  #   @return [String, nil] The name of the key. Nil once the key is deleted.
  # @!attribute [r] error_code
  #   @return [String, nil] The +code+ of the error. Nil if there is none.
  # @!attribute [r] refused_by
  #   @return [String, nil] The reason of the refusal, such as +limit:minute+ or +parameter:genre+. Nil if there is
  #     none.
  # @!attribute [r] version
  #   @return [String, nil] The dated version of the API in which the response was written, such as <tt>2026-11-20</tt>.
  #     Nil if it has no version.
  # @!attribute [r] error_message
  #   @return [String, nil] The +message+ of the error.
  # @!attribute [r] error_details
  #   @return [String, nil] The +details+ of the error, without secrets.
  # @!attribute [r] reason
  #   @return [String, nil] Why the request was refused or failed, in words.
  # @!attribute [r] advice
  #   @return [String, nil] What to do.
  # @!attribute [r] headers
  #   @return [Hash{String => String}] The stored headers of the request. They never include the key or cookies.
  # @!attribute [r] user_agent
  #   @return [String] The header User-Agent. Empty if there is none.
  # @!attribute [r] body
  #   @return [String, nil] The body of the request: up to 4,000 bytes, without secrets and without numbers that could
  #     be card numbers. Nil if there is none.
  # @!attribute [r] client_address
  #   @return [String] The IP address of the client.
  # @!attribute [r] from_explorer
  #   @return [Boolean] Whether the request was sent from the explorer, which has its own limits.
  # @!attribute [r] event_ids
  #   @return [Array<String>] The events that the request caused, the oldest first.
  class LoggedRequestDetail < Model
    field :id, :created_at, :method, :path, :query, :operation, :status, :duration_ms, :key_id, :key_name, :error_code,
          :refused_by, :version, :error_message, :error_details, :reason, :advice, :headers, :user_agent, :body,
          :client_address, :from_explorer, :event_ids
  end

  # A service of your own with its own clock.
  #
  # @!attribute [r] id
  #   @return [String] Identifier of the sandbox: 16 letters and digits.
  # @!attribute [r] seed
  #   @return [String] The seed from which the sandbox was generated.
  # @!attribute [r] catalogue
  #   @return [String] The catalogue that the sandbox began with: +demo+ or +empty+.
  # @!attribute [r] now
  #   @return [String] The present time of the sandbox.
  # @!attribute [r] base_url
  #   @return [String] The address of the sandbox, which needs no key. The API is below <tt>/v1</tt>.
  # @!attribute [r] created_at
  #   @return [String] When the sandbox was created, in real time.
  # @!attribute [r] expires_at
  #   @return [String] When the sandbox will be deleted, in real time. Every request to the sandbox extends it.
  class Sandbox < Model
    field :id, :seed, :catalogue, :now, :base_url, :created_at, :expires_at
  end

  # What happened in the sandbox while its clock advanced.
  #
  # @!attribute [r] sandbox
  #   @return [Sandbox]
  # @!attribute [r] is_complete
  #   @return [Boolean] Whether the clock advanced by the whole duration. If not, send +remaining+.
  # @!attribute [r] remaining
  #   @return [String] The remaining duration: the +by+ of the next request.
  # @!attribute [r] orders
  #   @return [Integer] The number of orders that simulated buyers placed.
  # @!attribute [r] refunds
  #   @return [Integer] The number of refunds that simulated buyers requested.
  # @!attribute [r] disputes
  #   @return [Integer] The number of disputes that banks of simulated buyers opened.
  # @!attribute [r] payouts
  #   @return [Integer] The number of payouts that were sent to producers.
  class SandboxAdvance < Model
    field :is_complete, :remaining, :orders, :refunds, :disputes, :payouts, sandbox: Sandbox
  end

  # The event that the request caused. The order, beat or other object that it names exists, and is not deleted
  # afterwards.
  #
  # @!attribute [r] type
  #   @return [String] The type of the event.
  # @!attribute [r] order_id
  #   @return [Integer, nil] The order that was placed.
  # @!attribute [r] license_id
  #   @return [String, nil] The license that was upgraded, or whose usage was reported.
  # @!attribute [r] beat_id
  #   @return [Integer, nil] The beat that was created, changed or sold.
  # @!attribute [r] upload_id
  #   @return [String, nil] The upload whose analysis causes the event.
  # @!attribute [r] payout_id
  #   @return [Integer, nil] The payout to the account.
  # @!attribute [r] user_id
  #   @return [Integer, nil] The account that was created or changed.
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
  #   @return [Integer] The number of plays of all beats on sale.
  # @!attribute [r] genres
  #   @return [Array<GenreName>] The most frequent comes first.
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

  # A new sandbox with its key.
  #
  # @!attribute [r] api_key
  #   @return [String] A key with all permissions, which is shown only once.
  # @!attribute [r] webhook_secret
  #   @return [String, nil] The secret that verifies the deliveries to +webhook_url+. Nil without a +webhook_url+, and
  #     for a copy, which keeps the secret of the original.
  class CreatedSandbox < Sandbox
    field :api_key, :webhook_secret
  end
end
