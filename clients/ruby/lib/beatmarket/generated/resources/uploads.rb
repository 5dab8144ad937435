# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.uploads+. Files that become beats.
    class Uploads < Resource
      # List your uploads. Returns the uploads of the key's account, newest first, one page at a time, and how much of
      # the storage its files take. Needs the permission +beats:write+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
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

      # Get one of your uploads. Returns the state of an upload: how much of it has arrived and, after the analysis, the
      # results or the reason of its rejection. An upload of another account is 404. Needs the permission +beats:write+.
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

      # Uploads a file in parts, by tus 1.0. After a failed part, continues at the offset that the service has. Then the
      # service analyses the file: {#wait} waits for that. The timeout applies to each part, and grows by a second for
      # each 64 kB of the part. After an error, {#resume} continues with the id that +progress+ got. Needs the
      # permission +beats:write+.
      #
      # @param file [String, Pathname, IO] The content of the upload. A path, or an IO, such as a File or a StringIO,
      #   which is read from its start and stays open.
      # @param kind [String, Symbol] audio, stems or cover.
      # @param filename [String, nil] The name that people see. By default the file's own name, or the kind if it has no
      #   name.
      # @param part_bytes [Integer] The size of a part, which is held in memory. A file that fits into one part is sent
      #   in one request.
      # @yieldparam progress [UploadProgress] Called when the upload's id is known, and after each part.
      # @return [Upload]
      # @raise [BeatMarketError] if the file cannot be read
      # @raise [InvalidRequestError] if the file is too large, or the account has too many uploads that no beat uses
      # @raise [APIStatusError, APIConnectionError]
      def upload(file, kind:, filename: nil, part_bytes: PART_BYTES, &progress)
        transfer_upload(file, kind, filename, part_bytes, progress)
      end

      # Sends the rest of a file whose upload was begun by this process or another one. Needs the permission
      # +beats:write+.
      #
      # @param upload_id [String] The upload.
      # @param file [String, Pathname, IO] The same file. A path, or an IO, such as a File or a StringIO, which is read
      #   from its start and stays open.
      # @param part_bytes [Integer] As for {#upload}.
      # @yieldparam progress [UploadProgress] As for {#upload}.
      # @return [Upload]
      # @raise [BeatMarketError] if the file cannot be read, or has another size than the upload
      # @raise [NotFoundError] if the account has no such upload, or the upload was deleted
      # @raise [APIStatusError, APIConnectionError]
      def resume(upload_id, file, part_bytes: PART_BYTES, &progress)
        transfer_resume(upload_id, file, part_bytes, progress)
      end

      # Waits until an upload is ready, for at most ten minutes by default. Needs the permission +beats:write+.
      #
      # @param upload_id [String] The upload.
      # @param timeout [Numeric] Seconds.
      # @return [Upload]
      # @raise [UploadRejectedError] if its file was rejected
      # @raise [APITimeoutError] if the upload is neither ready nor rejected in time
      # @raise [NotFoundError] if the account has no such upload, or the upload was deleted
      # @raise [APIStatusError, APIConnectionError]
      def wait(upload_id, timeout: 600)
        transfer_wait(upload_id, timeout)
      end
    end
  end
end
