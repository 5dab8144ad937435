# frozen_string_literal: true

require_relative "../download"
require_relative "resource"

module BeatMarket
  # A downloaded month of sales.
  class SalesExport
    # @return [String] the file, CSV with a header line
    attr_reader :path
    # @return [Response]
    attr_reader :response

    # @param path [String]
    # @param response [Response]
    # @api private
    def initialize(path, response)
      @path = path
      @response = response
    end
  end

  module Resources
    # +client.sales+: what the key's account sold. Needs the permission +orders:read+.
    class Sales < Resource
      # Lists sales, newest first by the time of their completion.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] sales per page, 1 to 100; 20 by default
      # @param from [Time, String, nil] only sales completed at this time or later; a date is its first moment, UTC
      # @param to [Time, String, nil] only sales completed before this time
      # @param beat [Integer, nil] only sales of the beat with this id
      # @param max_items [Integer, nil] maximum number of sales in an iteration
      # @return [List<Sale>]
      # @raise [InvalidRequestError] if +from+ is not before +to+
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, from: nil, to: nil, beat: nil, max_items: nil)
        pages("listSales", { "sales" => Sale }, { page:, limit:, from:, to:, beat: }, max_items)
      end

      # Downloads the sales of a month (UTC) into a file, as CSV with a header line, oldest first. Begins anew where a
      # connection breaks. The client's timeout is how long it waits for the next bytes.
      #
      # @param month [String] such as "2026-11"
      # @param path [String, Pathname]
      # @return [SalesExport]
      # @raise [InvalidRequestError] if that is no month
      # @raise [APIStatusError, APIConnectionError]
      def export(month, path)
        File.open(path, "wb") do |file|
          SalesExport.new(path.to_s, perform("exportSales", query: { month: }, download: Download.new(file)))
        end
      end
    end
  end
end
