# frozen_string_literal: true

require_relative "../generated/resources/orders"

module BeatMarket
  # A downloaded ZIP of all files of an order.
  #
  # @!attribute [r] path
  #   @return [String] the file
  # @!attribute [r] response
  #   @return [Response]
  OrderArchive = Struct.new(:path, :response)

  module Resources
    class Orders
      private

      def transfer_download(order_id, kind, destination, progress)
        OrderDownload.new(@transport, order_id, progress).one(kind.to_s, destination.to_s)
      end

      def transfer_download_all(order_id, folder, progress)
        OrderDownload.new(@transport, order_id, progress).all(folder.to_s)
      end

      def transfer_archive(order_id, path)
        response = FileStream.to(path) { |stream| perform("downloadOrderArchive", "/orders/#{@transport.segment(order_id)}/archive", stream: stream) }
        OrderArchive.new(path.to_s, response).freeze
      end
    end
  end
end
