# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.uploads+. Files that become beats.
    class Uploads < Resource
      # List your uploads. The uploads of the key's account, newest first, one page at a time, and how much of the
      # storage its files take. Needs the permission +beats:write+.
      #
      # @param page [Integer, nil] Page number, from 1.
      # @param limit [Integer, nil] Results per page. 1 to 100. Default: 20.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [UploadList]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, max_items: nil)
        query = { page:, limit: }
        pages("listUploads", { "uploads" => Upload }, query, max_items, UploadList, UploadPage)
      end

      # Delete an upload. Deletes an upload in any state, unless a beat uses it. Needs the permission +beats:write+.
      #
      # @param upload_id [String] Identifier of the upload, such as +upl_+ and 22 letters and digits.
      # @return [nil]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def delete(upload_id)
        perform("deleteUpload", "/uploads/#{@transport.segment(upload_id)}")
        nil
      end

      # Get one of your uploads. The state of a file: how much of it has arrived and, once it is analysed, the results
      # or the reason of its rejection. Uploads of other accounts are 404. Needs the permission +beats:write+.
      #
      # @param upload_id [String] Identifier of the upload, such as +upl_+ and 22 letters and digits.
      # @return [Upload]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(upload_id)
        object(perform("getUpload", "/uploads/#{@transport.segment(upload_id)}"), Upload, "upload")
      end

      # Analyse an upload again. Analyses a file again that was rejected because of a fault of the service. An upload
      # that was not rejected is returned unchanged. Needs the permission +beats:write+.
      #
      # @param upload_id [String] Identifier of the upload, such as +upl_+ and 22 letters and digits.
      # @return [Upload]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def retry(upload_id)
        object(perform("retryUpload", "/uploads/#{@transport.segment(upload_id)}/retry"), Upload, "upload", EMPTY)
      end
    end
  end
end
