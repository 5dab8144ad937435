# frozen_string_literal: true

require_relative "../generated/resources/beats"

module BeatMarket
  # Beats by their ids, in that order.
  class BeatBatch
    # @return [Array<BeatDetail>] frozen
    attr_reader :beats
    # @return [Array<Integer>] ids without a beat, frozen
    attr_reader :missing

    # @api private
    def initialize(pages)
      @beats = pages.flat_map(&:data).freeze
      @missing = pages.flat_map { |page| page.missing || [] }.freeze
    end
  end

  module Resources
    class Beats
      # Gets beats by their ids, in that order and as {#get} does, with a request for every 100. A repeated id
      # is returned once.
      #
      # @param beat_ids [Array<Integer>]
      # @return [BeatBatch]
      # @raise [APIStatusError, APIConnectionError]
      # @raise [BeatMarketError] if an id is invalid
      def get_many(beat_ids)
        raise BeatMarketError, "beat_ids must be an Array of ids, not #{beat_ids.inspect}" unless beat_ids.is_a?(Enumerable)

        BeatBatch.new(beat_ids.uniq.each_slice(100).map { |ids| list(ids: ids).first_page })
      end
    end
  end
end
