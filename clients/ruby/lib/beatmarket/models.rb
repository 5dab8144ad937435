# frozen_string_literal: true

require_relative "model"

module BeatMarket
  # The genre of a beat or producer.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] name
  #   @return [String]
  class GenreReference < Model
    field :id, :name
  end

  # A genre of the catalogue.
  #
  # @!attribute [r] slug
  #   @return [String] the name in URLs
  # @!attribute [r] beats_count
  #   @return [Integer] beats on sale in this genre
  class Genre < GenreReference
    field :slug, :beats_count
  end

  # A beat in a list.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] title
  #   @return [String]
  # @!attribute [r] user_id
  #   @return [Integer] the producing user
  # @!attribute [r] producer_name
  #   @return [String]
  # @!attribute [r] genre
  #   @return [GenreReference]
  # @!attribute [r] price
  #   @return [Integer, Float] of the basic license, at most two decimals
  # @!attribute [r] duration
  #   @return [Integer] whole seconds; 0 when unknown
  # @!attribute [r] bpm
  #   @return [Integer] tempo in beats per minute; 0 only for a draft of your own whose tempo is not known yet
  # @!attribute [r] key
  #   @return [String] musical key such as "C# minor"; "" when unknown
  # @!attribute [r] audio_url
  #   @return [String]
  # @!attribute [r] cover_image
  #   @return [String] a URL
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds; +Time.iso8601+ reads it
  # @!attribute [r] play_count
  #   @return [Integer]
  # @!attribute [r] download_count
  #   @return [Integer]
  class Beat < Model
    field :id, :title, :user_id, :producer_name, :price, :duration, :bpm, :key, :audio_url, :cover_image, :created_at,
          :play_count, :download_count, genre: GenreReference
  end

  # A license of a beat.
  #
  # @!attribute [r] type
  #   @return [String] basic, premium, unlimited, exclusive, or a later one
  # @!attribute [r] price
  #   @return [Integer, Float] at most two decimals
  # @!attribute [r] available
  #   @return [Boolean] false for every license while the exclusive one is being bought, and once it is sold
  class License < Model
    field :type, :price, :available
  end

  # What was heard in a recording; nil is what could not be told.
  #
  # @!attribute [r] bpm
  #   @return [Integer, Float, nil] tempo in beats per minute
  # @!attribute [r] bpm_confidence
  #   @return [Integer, Float, nil] 0 to 1
  # @!attribute [r] bpm_alternative
  #   @return [Integer, Float, nil] the next best tempo, often twice or half of it
  # @!attribute [r] key
  #   @return [String, nil] musical key such as "C# minor"
  # @!attribute [r] key_confidence
  #   @return [Integer, Float, nil] 0 to 1
  # @!attribute [r] key_alternative
  #   @return [String, nil] the next best key
  # @!attribute [r] duration
  #   @return [Integer] whole seconds
  # @!attribute [r] format
  #   @return [String] what the file is by its bytes: wav, aiff, flac, mp3, ogg, m4a, or a later one
  # @!attribute [r] sample_rate
  #   @return [Integer] in Hz
  # @!attribute [r] channels
  #   @return [Integer]
  # @!attribute [r] loudness_lufs
  #   @return [Integer, Float, nil] integrated loudness by EBU R128; nil for silence
  # @!attribute [r] true_peak_dbtp
  #   @return [Integer, Float, nil] nil for silence
  # @!attribute [r] clipped_samples
  #   @return [Integer] samples in runs at full scale
  # @!attribute [r] silence_start
  #   @return [Integer, Float] seconds before the first sound
  # @!attribute [r] silence_end
  #   @return [Integer, Float] seconds after the last sound
  class Analysis < Model
    field :bpm, :bpm_confidence, :bpm_alternative, :key, :key_confidence, :key_alternative, :duration, :format,
          :sample_rate, :channels, :loudness_lufs, :true_peak_dbtp, :clipped_samples, :silence_start, :silence_end
  end

  # A beat with its description, tags and licenses; one of your own also with its status.
  #
  # @!attribute [r] description
  #   @return [String]
  # @!attribute [r] tags
  #   @return [Array<String>]
  # @!attribute [r] licenses
  #   @return [Array<License>]
  # @!attribute [r] updated_at
  #   @return [String] ISO 8601, UTC, whole seconds
  # @!attribute [r] waveform_url
  #   @return [String, nil] URL of the waveform as JSON of audiowaveform; nil without one, and in lists, exports and changes
  # @!attribute [r] analysis
  #   @return [Analysis, nil] nil if the recording was not analysed, and in lists, exports and changes
  # @!attribute [r] status
  #   @return [String, nil] draft, processing, published, withdrawn, or a later one; nil for beats of others, as all below
  # @!attribute [r] bpm_source
  #   @return [String, nil] producer or analysis: whose word +bpm+ is; nil while nobody has said
  # @!attribute [r] key_source
  #   @return [String, nil] producer or analysis: whose word +key+ is; nil while nobody has said
  # @!attribute [r] preview_tag
  #   @return [String, nil] what is mixed into the preview: default, none, or the id of an upload
  # @!attribute [r] rejection
  #   @return [String, nil] why the last publishing failed, as a sentence; nil if it did not
  class BeatDetail < Beat
    field :description, :tags, :updated_at, :waveform_url, :status, :bpm_source, :key_source, :preview_tag, :rejection,
          licenses: [License], analysis: Analysis
  end

  # An uploaded file of your account, or one whose bytes are still arriving.
  #
  # @!attribute [r] id
  #   @return [String] such as "upl_0000000000000000000001"
  # @!attribute [r] kind
  #   @return [String] audio, stems or cover
  # @!attribute [r] filename
  #   @return [String]
  # @!attribute [r] bytes
  #   @return [Integer] of the whole file
  # @!attribute [r] received
  #   @return [Integer] of these bytes so many have arrived
  # @!attribute [r] sha256
  #   @return [String, nil] of the file as it was sent, in hex; nil until it is stored
  # @!attribute [r] status
  #   @return [String] receiving, analysing, ready, rejected, or a later one; ready and rejected are final
  # @!attribute [r] rejection
  #   @return [String, nil] a sentence; nil unless rejected
  # @!attribute [r] analysis
  #   @return [Analysis, nil] of audio that is ready; nil otherwise
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds
  # @!attribute [r] expires_at
  #   @return [String, nil] when it is deleted unless a beat uses it by then; nil when one does
  class Upload < Model
    field :id, :kind, :filename, :bytes, :received, :sha256, :status, :rejection, :created_at, :expires_at, analysis: Analysis
  end

  # How similar a beat is to the requested one, and why.
  #
  # @!attribute [r] score
  #   @return [Float, Integer] 0 to 1; 1 is a perfect match
  # @!attribute [r] tempo_ratio
  #   @return [Float, Integer] 0.5, 1 or 2: the octave in which the tempi were compared
  # @!attribute [r] bpm_difference_percent
  #   @return [Float, Integer] absolute difference of the tempi in that octave
  # @!attribute [r] key_relation
  #   @return [String] on the circle of fifths: same, relative, adjacent, other, or a later one
  # @!attribute [r] same_genre
  #   @return [Boolean]
  class Similarity < Model
    field :score, :tempo_ratio, :bpm_difference_percent, :key_relation, :same_genre
  end

  # A beat that is similar to another.
  #
  # @!attribute [r] similarity
  #   @return [Similarity]
  class SimilarBeat < Beat
    field similarity: Similarity
  end

  # The public profile of a user.
  #
  # @!attribute [r] id
  #   @return [Integer]
  # @!attribute [r] username
  #   @return [String]
  # @!attribute [r] display_name
  #   @return [String] the name people see
  # @!attribute [r] bio
  #   @return [String, nil]
  # @!attribute [r] location
  #   @return [String, nil]
  # @!attribute [r] website
  #   @return [String, nil] a URL
  # @!attribute [r] avatar_url
  #   @return [String, nil]
  # @!attribute [r] is_producer
  #   @return [Boolean]
  # @!attribute [r] beats_count
  #   @return [Integer] beats on sale
  # @!attribute [r] created_at
  #   @return [String] ISO 8601, UTC, whole seconds
  class User < Model
    field :id, :username, :display_name, :bio, :location, :website, :avatar_url, :is_producer, :beats_count, :created_at
  end

  # A user who sells beats.
  #
  # @!attribute [r] play_count
  #   @return [Integer] plays of all beats on sale
  # @!attribute [r] genres
  #   @return [Array<GenreReference>] most used first
  class Producer < User
    field :play_count, genres: [GenreReference]
  end

  # How many beats have a value, or are in a range of values.
  #
  # @!attribute [r] value
  #   @return [GenreReference, String, Integer, Float] a genre; a key as beats show it ("" where it is unknown) or a tag; the
  #     lowest tempo or price of a range
  # @!attribute [r] max
  #   @return [Integer, Float, nil] the highest tempo or price of a range; nil for other values
  # @!attribute [r] count
  #   @return [Integer]
  class FacetCount < Model
    field :max, :count
    field value: GenreReference
  end

  # How many beats have each value, under all filters but those on the same property; nil if not asked for.
  #
  # @!attribute [r] genre
  #   @return [Array<FacetCount>, nil]
  # @!attribute [r] key
  #   @return [Array<FacetCount>, nil]
  # @!attribute [r] bpm
  #   @return [Array<FacetCount>, nil]
  # @!attribute [r] price
  #   @return [Array<FacetCount>, nil]
  # @!attribute [r] tag
  #   @return [Array<FacetCount>, nil]
  class Facets < Model
    field genre: [FacetCount], key: [FacetCount], bpm: [FacetCount], price: [FacetCount], tag: [FacetCount]
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

  # What was understood of a search, in the names of parameters; nil where nothing was.
  #
  # @!attribute [r] q
  #   @return [String] the words that were searched for
  # @!attribute [r] bpm_min
  #   @return [Integer, nil]
  # @!attribute [r] bpm_max
  #   @return [Integer, nil]
  # @!attribute [r] key
  #   @return [String, nil] as the parameter +key+
  # @!attribute [r] corrected
  #   @return [Hash{String => String}, nil] what was searched for instead of a word, by the word
  # @!attribute [r] ignored
  #   @return [Array<String>, nil] words that were left out, since nothing has all of them
  class Interpretation < Model
    field :q, :bpm_min, :bpm_max, :key, :corrected, :ignored
  end

  # The position of a page in its list.
  #
  # @!attribute [r] total
  #   @return [Integer] records in all pages
  # @!attribute [r] per_page
  #   @return [Integer]
  # @!attribute [r] current_page
  #   @return [Integer] from 1
  # @!attribute [r] last_page
  #   @return [Integer] at least 1
  # @!attribute [r] next_page_url
  #   @return [String, nil]
  # @!attribute [r] prev_page_url
  #   @return [String, nil]
  class Pagination < Model
    field :total, :per_page, :current_page, :last_page, :next_page_url, :prev_page_url
  end

  # The data of a beat.updated event: the beat after the change.
  #
  # @!attribute [r] changed
  #   @return [Array<String>] names of the fields that changed
  class BeatUpdated < Beat
    field :changed
  end

  # The data of a user.updated event: the profile after the change.
  #
  # @!attribute [r] changed
  #   @return [Array<String>] names of the fields that changed
  class UserUpdated < User
    field :changed
  end

  # A change of a listed beat, at its place in the order of commits.
  #
  # @!attribute [r] position
  #   @return [Integer] rises from change to change; numbers may be left out
  # @!attribute [r] type
  #   @return [String] published, updated, sold, withdrawn, or a later one
  # @!attribute [r] beat_id
  #   @return [Integer]
  # @!attribute [r] beat
  #   @return [BeatDetail, nil] as it is now, which may be newer than the change; nil when it is withdrawn
  class Change < Model
    field :position, :type, :beat_id, beat: BeatDetail
  end

  # The data of a beat.purchased event.
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
  #   @return [String] basic, premium, unlimited, exclusive, or a later one
  # @!attribute [r] amount
  #   @return [Integer, Float] in +currency+, at most two decimals
  # @!attribute [r] currency
  #   @return [String] ISO 4217
  # @!attribute [r] purchaser_id
  #   @return [Integer] the user who bought
  class Purchase < Model
    field :beat_id, :title, :producer_id, :producer_name, :license_type, :amount, :currency, :purchaser_id
  end

  # A webhook event.
  #
  # @!attribute [r] id
  #   @return [String] ignore an id that you have processed: events can be delivered more than once
  # @!attribute [r] created
  #   @return [Integer] Unix seconds
  # @!attribute [r] type
  #   @return [String] one of the keys of {DATA}, or a later one
  class Event < Model
    # The class of +data+ by event type.
    DATA = {
      "beat.created" => Beat,
      "beat.updated" => BeatUpdated,
      "beat.purchased" => Purchase,
      "user.registered" => User,
      "user.updated" => UserUpdated
    }.freeze

    field :id, :created, :type
    field data: Model

    private

    def record(value, _type) = super(value, DATA.fetch(type, Model))
  end
end
