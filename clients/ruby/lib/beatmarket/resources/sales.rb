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
      private

      def transfer_export(month, path)
        response = FileStream.to(path) { |stream| perform("exportSales", query: { month: }, stream: stream) }
        SalesExport.new(path.to_s, response).freeze
      end
    end
  end
end
