# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.beats+. Needs the permission +beats:read+.
    class Beats < Resource
      # Lists the beats on sale.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] beats per page, 1 to 100; 20 by default
      # @param genre [Integer, nil] only beats of this genre id
      # @param producer [Integer, nil] only beats of this producer id
      # @param sort [String, Symbol, nil] newest (default), popular, price_asc or price_desc
      # @param max_items [Integer, nil] maximum number of beats in an iteration
      # @return [List<Beat>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, genre: nil, producer: nil, sort: nil, max_items: nil)
        pages("listBeats", { "beats" => Beat }, { page:, limit:, genre:, producer:, sort: }, max_items)
      end

      # Gets a beat with its description, tags and licenses, even after its exclusive license was sold.
      #
      # @param beat_id [Integer, String]
      # @return [BeatDetail]
      # @raise [NotFoundError] if the beat does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(beat_id)
        response = perform("getBeat", { beat_id: })
        BeatDetail.new(response.record("beat"), response)
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
        Collection.new(response.records("beats").map { |fields| SimilarBeat.new(fields) }, response)
      end
    end
  end
end
