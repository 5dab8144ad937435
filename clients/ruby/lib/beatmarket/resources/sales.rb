# frozen_string_literal: true

require_relative "../generated/resources/sales"

module BeatMarket
  # A downloaded month of sales.
  #
  # @!attribute [r] path
  #   @return [String] the file, CSV with a header line
  # @!attribute [r] response
  #   @return [Response]
  SalesExport = Struct.new(:path, :response)

  module Resources
    class Sales
      # Downloads the sales of a month (UTC) into a file, as CSV with a header line, oldest first. Begins anew where a
      # connection breaks. The client's timeout is how long it waits for the next bytes.
      #
      # @param month [String] such as "2026-11"
      # @param path [String, Pathname]
      # @return [SalesExport]
      # @raise [BeatMarketError] if the file cannot be written
      # @raise [InvalidRequestError] if that is no month
      # @raise [APIStatusError, APIConnectionError]
      def export(month, path)
        response = FileStream.to(path) { |stream| perform("exportSales", query: { month: }, stream: stream) }
        SalesExport.new(path.to_s, response).freeze
      end
    end
  end
end
