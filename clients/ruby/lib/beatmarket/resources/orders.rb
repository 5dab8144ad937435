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
      # Downloads a file of an order. Its bytes go to +destination.part+; once all have come and their SHA-256 is that of the
      # listing, they get their name. Goes on where a connection breaks, with a new link where one expires, and, in a later
      # call, with the .part of one that raised. A file that is there already is not fetched. The client's timeout is how long
      # it waits for the next bytes. The key is not sent to the link, which may lead to another host.
      #
      # @param order_id [Integer, String]
      # @param kind [String, Symbol] mp3, wav, stems or license
      # @param destination [String, Pathname] the file; one that is there is replaced in the end
      # @yieldparam progress [DownloadProgress] once it is known where to go on from, and as bytes come
      # @return [DownloadedFile]
      # @raise [ChecksumError] if other bytes came than the service lists; they are deleted
      # @raise [BeatMarketError] if the order has no such file, or the destination cannot be written
      # @raise [InvalidRequestError] 409 if the order is not completed
      # @raise [NotFoundError] if the account has no such order
      # @raise [APIStatusError, APIConnectionError]
      def download(order_id, kind, destination, &progress)
        OrderDownload.new(@transport, order_id, progress).one(kind.to_s, destination.to_s)
      end

      # Downloads all files of an order, as {#download} does, under the names that the service gives them, without what a file
      # system refuses or what leads out of the folder.
      #
      # @param order_id [Integer, String]
      # @param folder [String, Pathname] made if it is not there
      # @yieldparam progress [DownloadProgress] as for {#download}
      # @return [Array<DownloadedFile>]
      # @raise [ChecksumError] as for {#download}
      # @raise [BeatMarketError] if the order has no files, since it was refunded, or the folder cannot be written
      # @raise [APIStatusError, APIConnectionError]
      def download_all(order_id, folder, &progress) = OrderDownload.new(@transport, order_id, progress).all(folder.to_s)

      # Downloads all files of an order and its certificate into one ZIP. Goes on where a connection breaks. The client's timeout
      # is how long it waits for the next bytes.
      #
      # @param order_id [Integer, String]
      # @param path [String, Pathname]
      # @return [OrderArchive]
      # @raise [BeatMarketError] if the file cannot be written
      # @raise [InvalidRequestError] 409 if the order is not completed
      # @raise [APIStatusError, APIConnectionError]
      def archive(order_id, path)
        response = FileStream.to(path) { |stream| perform("downloadOrderArchive", "/orders/#{@transport.segment(order_id)}/archive", stream: stream) }
        OrderArchive.new(path.to_s, response).freeze
      end
    end
  end
end
