# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  # A page of beats.
  class BeatPage < Page
    # @return [Facets, nil] how many of all beats have each value; nil without +facets+
    attr_reader :facets
    # @return [Array<Integer>, nil] the ids that nobody has; nil without +ids+
    attr_reader :missing

    # @api private
    def initialize(source, response)
      super
      @facets = Facets.from(response.optional("facets"))
      @missing = response.optional("missing")
    end
  end

  # Beats: a {List} whose pages have the same filters.
  class BeatList < List
    # @return [Facets, nil] how many of all beats have each value; nil without +facets+
    def facets = first_page.facets

    # @return [Array<Integer>, nil] the ids that nobody has; nil without +ids+
    def missing = first_page.missing
  end

  # Beats by their ids, in that order.
  class BeatBatch
    # @return [Array<BeatDetail>] frozen
    attr_reader :beats
    # @return [Array<Integer>] ids that nobody has, frozen
    attr_reader :missing

    # @api private
    def initialize(pages)
      @beats = pages.flat_map(&:data).freeze
      @missing = pages.flat_map { |page| page.missing || [] }.freeze
    end
  end

  module Resources
    # +client.beats+. Needs the permission +beats:read+.
    class Beats < Resource
      # Lists the beats on sale.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] beats per page, 1 to 100; 20 by default
      # @param genre [Integer, Array<Integer>, nil] only beats of these genre ids
      # @param producer [Integer, Array<Integer>, nil] only beats of these producer ids
      # @param bpm_min [Integer, nil] only beats of this tempo or faster
      # @param bpm_max [Integer, nil] only beats of this tempo or slower
      # @param bpm [Integer, nil] only beats of this tempo, instead of +bpm_min+ and +bpm_max+
      # @param bpm_tolerance [Numeric, nil] percent by which a beat may differ from +bpm+
      # @param half_double [Boolean, nil] whether beats of half and of double the +bpm+ match as well
      # @param key [String, Array<String>, nil] only beats in these keys: A minor, Am or 8A
      # @param key_compatible [String, nil] only beats that mix with this key
      # @param price_min [Numeric, nil] only beats of this price or more
      # @param price_max [Numeric, nil] only beats of this price or less
      # @param duration_min [Integer, nil] only beats of this many seconds or more
      # @param duration_max [Integer, nil] only beats of this many seconds or less
      # @param created_after [Time, String, nil] only beats of this time or later
      # @param created_before [Time, String, nil] only beats of this time or earlier
      # @param tag [String, Array<String>, nil] only beats with one of these tags
      # @param license [String, Symbol, Array<String, Symbol>, nil] only beats of which one of these licenses is available
      # @param sort [String, Symbol, nil] newest (default), popular, price_asc, price_desc, bpm_asc or bpm_desc
      # @param facets [String, Symbol, Array<String, Symbol>, nil] what to count all found beats by: genre, key, bpm, price, tag
      # @param ids [Array<Integer>, nil] these beats, at most 100, in that order, as {BeatDetail}s; only +fields+ goes with it
      # @param fields [String, Symbol, Array<String, Symbol>, nil] the fields that beats are reduced to; the others are nil
      # @param max_items [Integer, nil] maximum number of records in an iteration
      # @return [BeatList] of {Beat}s; of {BeatDetail}s with +ids+ or +fields+
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(
        page: nil, limit: nil, genre: nil, producer: nil, bpm_min: nil, bpm_max: nil, bpm: nil, bpm_tolerance: nil,
        half_double: nil, key: nil, key_compatible: nil, price_min: nil, price_max: nil, duration_min: nil,
        duration_max: nil, created_after: nil, created_before: nil, tag: nil, license: nil, sort: nil, facets: nil,
        ids: nil, fields: nil, max_items: nil
      )
        query = {
          page:, limit:, genre:, producer:, bpm_min:, bpm_max:, bpm:, bpm_tolerance:, half_double:, key:,
          key_compatible:, price_min:, price_max:, duration_min:, duration_max:, created_after:, created_before:,
          tag:, license:, sort:, facets:, ids:, fields:
        }
        model = ids || fields ? BeatDetail : Beat
        pages("listBeats", { "beats" => model }, query, max_items, list_type: BeatList, page_type: BeatPage)
      end

      # Gets beats by their ids, in that order and as {#get} does, with a request for every 100.
      #
      # @param beat_ids [Array<Integer>]
      # @return [BeatBatch]
      # @raise [APIStatusError, APIConnectionError]
      def get_many(beat_ids)
        BeatBatch.new(beat_ids.each_slice(100).map { |ids| list(ids: ids).first_page })
      end

      # Gets a beat with its description, tags and licenses, even after its exclusive license was sold.
      #
      # @param beat_id [Integer, String]
      # @return [BeatDetail]
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(beat_id)
        object("getBeat", BeatDetail, "beat", { beat_id: })
      end

      # Lists the most similar beats, best first.
      #
      # @param beat_id [Integer, String]
      # @param limit [Integer, nil] 1 to 20; 5 by default
      # @return [Collection<SimilarBeat>]
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def similar(beat_id, limit: nil)
        response = perform("listSimilarBeats", { beat_id: }, query: { limit: })
        Collection.new(SimilarBeat.list(response.member("beats", Array)), response)
      end

      # Makes a beat of an upload of your own. Needs the permission +beats:write+, as all below.
      #
      # @param title [String] 1 to 200 characters
      # @param genre [Integer, String] id or name of a genre
      # @param audio [String] id of an upload of audio, which need not be ready yet
      # @param price [Numeric] of the basic license, at most two decimals
      # @param license_prices [Hash{Symbol, String => Numeric}, nil] of premium, unlimited and exclusive; derived from
      #   +price+ where left out
      # @param bpm [Numeric, nil] default: what analysis tells
      # @param key [String, nil] A minor, Am or 8A; default: what analysis tells
      # @param description [String, nil] at most 2,000 characters
      # @param tags [Array<String>, nil] at most 20
      # @param cover [String, nil] id of an upload of a cover
      # @param stems [String, nil] id of an upload of stems
      # @param preview_tag [String, nil] what is mixed into the preview: default, none, or the id of an upload of audio
      # @param status [String, Symbol, nil] draft (default), or published: on sale once the files are processed
      # @param idempotency_key [String, nil] as for {Orders#create}: calls with the same key make one beat
      # @return [BeatDetail]
      # @raise [InvalidRequestError] 400 names the field; 409 if another account has published this very recording
      # @raise [BeatMarketError] if the key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(
        title:, genre:, audio:, price:, license_prices: nil, bpm: nil, key: nil, description: nil, tags: nil, cover: nil,
        stems: nil, preview_tag: nil, status: nil, idempotency_key: nil
      )
        fields = {
          title:, genre:, audio:, price:, license_prices:, bpm:, key:, description:, tags:, cover:, stems:, preview_tag:, status:
        }
        object("createBeat", BeatDetail, "beat", body: fields.compact, headers: idempotency(idempotency_key))
      end

      # Changes one of your beats in any state. An omitted field is unchanged; the rules are those of {#create}.
      #
      # @param beat_id [Integer, String]
      # @param title [String]
      # @param genre [Integer, String]
      # @param audio [String]
      # @param price [Numeric]
      # @param license_prices [Hash{Symbol, String => Numeric}, nil] changes those that it names; nil derives all from the price
      # @param bpm [Numeric, nil] nil takes what analysis tells
      # @param key [String, nil] nil takes what analysis tells
      # @param description [String, nil] nil clears it
      # @param tags [Array<String>, nil] nil clears them
      # @param cover [String, nil] nil clears it
      # @param stems [String, nil] nil clears them
      # @param preview_tag [String]
      # @param status [String, Symbol] published puts the beat on sale; draft stops the publishing of one that was never on sale
      # @param if_match [String, nil] the {Response#etag} of the state that you change
      # @return [BeatDetail] the changed beat
      # @raise [PreconditionFailedError] if the beat has changed since +if_match+
      # @raise [InvalidRequestError] 400 names the field; 409 while the exclusive license is sold or being bought
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def update(
        beat_id, title: UNCHANGED, genre: UNCHANGED, audio: UNCHANGED, price: UNCHANGED, license_prices: UNCHANGED,
        bpm: UNCHANGED, key: UNCHANGED, description: UNCHANGED, tags: UNCHANGED, cover: UNCHANGED, stems: UNCHANGED,
        preview_tag: UNCHANGED, status: UNCHANGED, if_match: nil
      )
        fields = {
          title:, genre:, audio:, price:, license_prices:, bpm:, key:, description:, tags:, cover:, stems:, preview_tag:, status:
        }
        object("updateBeat", BeatDetail, "beat", { beat_id: }, body: given(fields), headers: condition(if_match))
      end

      # Takes one of your beats off sale; those who bought a license keep it. A beat that was never on sale is deleted.
      #
      # @param beat_id [Integer, String]
      # @param if_match [String, nil] as for {#update}
      # @return [BeatDetail] the beat as it was left
      # @raise [PreconditionFailedError] if the beat has changed since +if_match+
      # @raise [InvalidRequestError] 409 if the exclusive license is sold
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def withdraw(beat_id, if_match: nil)
        object("withdrawBeat", BeatDetail, "beat", { beat_id: }, headers: condition(if_match))
      end

      private

      def condition(if_match) = { "If-Match" => if_match }.compact
    end
  end
end
