# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.beats+. The beats on sale, and your own.
    class Beats < Resource
      # List beats. Returns the beats on sale that match every filter, one page at a time; or beats by their +ids+.
      # Needs the permission +beats:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param genre [Integer, Array<Integer>, nil] Only beats of the genres with these ids.
      # @param producer [Integer, Array<Integer>, nil] Only beats of the producers with these ids.
      # @param bpm_min [Integer, nil] Only beats of this +bpm+ or faster. 1 to 999.
      # @param bpm_max [Integer, nil] Only beats of this +bpm+ or slower. 1 to 999.
      # @param bpm [Integer, nil] Only beats of this +bpm+. Instead of +bpm_min+ and +bpm_max+. 1 to 999.
      # @param bpm_tolerance [Numeric, nil] The percentage by which a beat may differ from +bpm+. Default: 0. 0 to 50.
      # @param half_double [Boolean, nil] Whether beats of half and of double the +bpm+ match as well. Default: false.
      # @param key [String, Array<String>, nil] Only beats in these keys: <tt>A minor</tt>, +Am+ or +8A+ (Camelot);
      #   enharmonic spellings are the same key; +unknown+ for beats without one.
      # @param key_compatible [String, nil] Only beats that mix with this key: itself, its relative and its neighbours
      #   on the circle of fifths. Spelled as in +key+.
      # @param price_min [Numeric, nil] Only beats whose +price+ is this or more.
      # @param price_max [Numeric, nil] Only beats whose +price+ is this or less.
      # @param duration_min [Integer, nil] Only beats of this many seconds or more.
      # @param duration_max [Integer, nil] Only beats of this many seconds or less.
      # @param created_after [Time, String, nil] Only beats whose +created_at+ is this time or later, ISO 8601. A date
      #   alone is its first second, UTC.
      # @param created_before [Time, String, nil] Only beats whose +created_at+ is this time or earlier, ISO 8601. A
      #   date alone is its last second, UTC.
      # @param tag [String, Array<String>, nil] Only beats with one of these tags. Accents and case are ignored.
      # @param license [String, Symbol, Array<String, Symbol>, nil] Only beats with one of these licenses available. One
      #   of +basic+, +premium+, +unlimited+, +exclusive+.
      # @param sort [String, Symbol, nil] The order of the list. Every order ends with the id, so pages never overlap.
      #   One of +newest+, +popular+, +price_asc+, +price_desc+, +bpm_asc+, +bpm_desc+. Default: newest.
      # @param facets [String, Symbol, Array<String, Symbol>, nil] The properties to count beats by. Counts are exact
      #   and apply all filters except those on the same property. One of +genre+, +key+, +bpm+, +price+, +tag+.
      # @param ids [Integer, Array<Integer>, nil] Ids of beats. Returns these beats in this order, with all details,
      #   also sold ones. Can be combined with +fields+ only.
      # @param fields [String, Array<String>, nil] The fields to return of each object, by their names in the response.
      #   Fields that only the response of a single beat has are allowed, too. All other fields are absent, although the
      #   schemas of responses describe whole objects.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [BeatList] with {BeatDetail}s if ids or fields are given
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(
        page: nil, limit: nil, genre: nil, producer: nil, bpm_min: nil, bpm_max: nil, bpm: nil, bpm_tolerance: nil,
        half_double: nil, key: nil, key_compatible: nil, price_min: nil, price_max: nil, duration_min: nil,
        duration_max: nil, created_after: nil, created_before: nil, tag: nil, license: nil, sort: nil, facets: nil,
        ids: nil, fields: nil, max_items: nil
      )
        model = ids || fields ? BeatDetail : Beat
        query = {
          page:, limit:, genre:, producer:, bpm_min:, bpm_max:, bpm:, bpm_tolerance:, half_double:, key:,
          key_compatible:, price_min:, price_max:, duration_min:, duration_max:, created_after:, created_before:, tag:,
          license:, sort:, facets:, ids:, fields:
        }
        pages("listBeats", { "beats" => model }, query, max_items, BeatList, BeatPage)
      end

      # Create a beat. Creates a beat from an upload. The beat is a draft that only you see; with +status+ +published+,
      # it goes on sale as soon as its files are processed. A repeated request with the same <tt>Idempotency-Key</tt>
      # creates one beat. Needs the permission +beats:write+.
      #
      # @param title [String] The title of the beat.
      # @param genre [String, Integer] A genre of <tt>GET /genres</tt>, by its id or its name.
      # @param audio [String] The id of an upload of kind +audio+.
      # @param price [Numeric] The price of the basic license in the currency's main unit, with at most two decimals.
      # @param license_prices [Hash{Symbol, String => Object}, nil] The prices of the other licenses. Default: twice,
      #   five and twenty times +price+, rounded up to end in 99 cents.
      # @param license_settings [Hash{Symbol, String => Object}, nil] Which licenses are sold, and with which limits. A
      #   license that is not named keeps its settings; in a new beat, it has your default settings.
      # @param free_download [Boolean, nil] Whether people who confirm an e-mail address get the tagged MP3 for free,
      #   for non-commercial use.
      # @param bpm [Numeric, nil] The tempo. Default: the result of the analysis.
      # @param key [String, nil] The musical key, such as <tt>A minor</tt>, +Am+ or +8A+. Default: the result of the
      #   analysis.
      # @param description [String, nil]
      # @param tags [Array<String>, nil] At most 20 tags, each with at most 50 characters and without a comma. Of tags
      #   that differ only in case, accents, spaces or punctuation, the first is stored.
      # @param cover [String, nil] The id of an upload of kind +cover+.
      # @param stems [String, nil] The id of an upload of kind +stems+.
      # @param preview_tag [String, nil] The tag that is mixed into the preview every 15 seconds: +default+ is the
      #   service's own tag, +none+ is no tag, and the id of an upload of kind +audio+ is your own tag.
      # @param publish_at [Time, String, nil] The time at which to publish the beat: in the future, within two years.
      #   Not together with +status+ +published+.
      # @param status [String, Symbol, nil] +published+ puts the beat on sale as soon as its files are processed.
      #   Default: draft.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [BeatDetail]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(
        title:, genre:, audio:, price:, license_prices: nil, license_settings: nil, free_download: nil, bpm: nil,
        key: nil, description: nil, tags: nil, cover: nil, stems: nil, preview_tag: nil, publish_at: nil, status: nil,
        idempotency_key: nil
      )
        fields = {
          title:, genre:, audio:, price:, license_prices:, license_settings:, free_download:, bpm:, key:, description:,
          tags:, cover:, stems:, preview_tag:, publish_at:, status:
        }
        object(perform("createBeat", body: fields.compact, idempotency_key:), BeatDetail, "beat", EMPTY)
      end

      # Get one beat. Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive
      # license is sold, and your own beats in every state, with their +status+. Needs the permission +beats:read+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @return [BeatDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(beat_id)
        object(perform("getBeat", "/beats/#{@transport.segment(beat_id)}"), BeatDetail, "beat")
      end

      # Change one of your beats. Changes one of your beats, on sale or not. An omitted field stays as it is; nil clears
      # it. New files replace the old ones once they are processed. With <tt>If-Match</tt>, the beat changes only if it
      # has not changed since. A repeated request with the same <tt>Idempotency-Key</tt> gets the first response. Needs
      # the permission +beats:write+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @param title [String] The title of the beat.
      # @param genre [String, Integer] A genre of <tt>GET /genres</tt>, by its id or its name.
      # @param audio [String] The id of an upload of kind +audio+.
      # @param price [Numeric] The price of the basic license in the currency's main unit, with at most two decimals.
      # @param license_prices [Hash{Symbol, String => Object}, nil] The prices to change. Nil derives all three from
      #   +price+ again.
      # @param license_settings [Hash{Symbol, String => Object}] Which licenses are sold, and with which limits. A
      #   license that is not named keeps its settings; in a new beat, it has your default settings.
      # @param free_download [Boolean] Whether people who confirm an e-mail address get the tagged MP3 for free, for
      #   non-commercial use.
      # @param bpm [Numeric, nil] The tempo. Nil takes the result of the analysis.
      # @param key [String, nil] The musical key. Nil takes the result of the analysis.
      # @param description [String, nil]
      # @param tags [Array<String>, nil]
      # @param cover [String, nil]
      # @param stems [String, nil]
      # @param preview_tag [String] The tag that is mixed into the preview every 15 seconds: +default+ is the service's
      #   own tag, +none+ is no tag, and the id of an upload of kind +audio+ is your own tag.
      # @param publish_at [Time, String, nil] The time at which to publish a draft or a withdrawn beat: in the future,
      #   within two years. Nil cancels it.
      # @param status [String, Symbol] +published+ puts a draft or a withdrawn beat on sale; +draft+ stops the
      #   publishing of a beat that was never on sale.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @param if_match [String, nil] The {Response#etag} of the state that you change.
      # @return [BeatDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [PreconditionFailedError] if it has changed since +if_match+
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def update(
        beat_id, title: UNCHANGED, genre: UNCHANGED, audio: UNCHANGED, price: UNCHANGED, license_prices: UNCHANGED,
        license_settings: UNCHANGED, free_download: UNCHANGED, bpm: UNCHANGED, key: UNCHANGED, description: UNCHANGED,
        tags: UNCHANGED, cover: UNCHANGED, stems: UNCHANGED, preview_tag: UNCHANGED, publish_at: UNCHANGED,
        status: UNCHANGED, idempotency_key: nil, if_match: nil
      )
        fields = {
          title:, genre:, audio:, price:, license_prices:, license_settings:, free_download:, bpm:, key:, description:,
          tags:, cover:, stems:, preview_tag:, publish_at:, status:
        }
        object(perform("updateBeat", "/beats/#{@transport.segment(beat_id)}", body: given(fields), idempotency_key:, if_match:), BeatDetail, "beat", EMPTY)
      end

      # Withdraw one of your beats. Takes one of your beats off sale and returns it. Buyers keep their licenses.
      # +updateBeat+ with +status+ +published+ puts it on sale again. A beat that was never on sale is deleted. Needs
      # the permission +beats:write+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @param if_match [String, nil] The {Response#etag} of the state that you change.
      # @return [BeatDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [PreconditionFailedError] if it has changed since +if_match+
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def withdraw(beat_id, idempotency_key: nil, if_match: nil)
        object(perform("withdrawBeat", "/beats/#{@transport.segment(beat_id)}", idempotency_key:, if_match:), BeatDetail, "beat", EMPTY)
      end

      # List similar beats. Returns the beats most similar to the given one, the most similar first. They are compared
      # by genre, tempo (half and double are near), key on the circle of fifths, and lesser factors. +similarity+
      # explains each choice. Needs the permission +beats:read+.
      #
      # @param beat_id [Integer, String] Identifier of the beat.
      # @param limit [Integer, nil] The number of similar beats. 1 to 20. Default: 5.
      # @return [Collection<SimilarBeat>]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def similar(beat_id, limit: nil)
        array(perform("listSimilarBeats", "/beats/#{@transport.segment(beat_id)}/similar", query: { limit: }), SimilarBeat, "beats")
      end
    end
  end
end
