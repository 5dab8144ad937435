# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.beats+. Permission +beats:read+.
    class Beats < Resource
      # The beats on sale.
      #
      # @param page [Integer, nil] the page to begin at, from 1
      # @param limit [Integer, nil] beats per page, 1 to 100; 20 when absent
      # @param genre [Integer, nil] only those of the genre with this id
      # @param producer [Integer, nil] only those of the producer with this id
      # @param sort [String, Symbol, nil] newest (default), popular, price_asc or price_desc
      # @param max_items [Integer, nil] where a walk through the pages stops
      # @return [List<Beat>]
      # @raise [APIStatusError, APIConnectionError] when it is walked
      def list(page: nil, limit: nil, genre: nil, producer: nil, sort: nil, max_items: nil)
        pages("listBeats", { "beats" => Beat }, { page:, limit:, genre:, producer:, sort: }, max_items)
      end

      # One beat with its description, tags and licenses; also one whose exclusive license is sold.
      #
      # @param beat_id [Integer, String]
      # @return [BeatDetail]
      # @raise [NotFoundError] when there is no such beat
      # @raise [BeatMarketError] when the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(beat_id)
        response = perform("getBeat", { beat_id: })
        BeatDetail.new(response.record("beat"), response)
      end

      # The beats most like one, best first.
      #
      # @param beat_id [Integer, String]
      # @param limit [Integer, nil] how many, 1 to 20; 5 when absent
      # @return [Collection<SimilarBeat>]
      # @raise [NotFoundError] when there is no such beat
      # @raise [BeatMarketError] when the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def similar(beat_id, limit: nil)
        response = perform("listSimilarBeats", { beat_id: }, query: { limit: })
        Collection.new(response.records("beats").map { |fields| SimilarBeat.new(fields) }, response)
      end
    end
  end
end
