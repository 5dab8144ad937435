# frozen_string_literal: true

require_relative "../generated/resources/uploads"

module BeatMarket
  module Resources
    class Uploads
      # The size of a part by default. A smaller file is one request.
      PART_BYTES = 8_000_000
      LONGEST_PAUSE_SECONDS = 8
      private_constant :LONGEST_PAUSE_SECONDS

      # Uploads a file, in parts and by tus 1.0: a part that fails is sent again from where the service has it. The client's
      # timeout is that of each part, and grows by a second for each 64 kB of it. After an error, {#resume} goes on with the
      # id that the block got.
      #
      # @param file [String, Pathname, IO] its path, or an IO, such as a File or a StringIO, that is read from its start and stays open
      # @param kind [String, Symbol] audio, stems or cover
      # @param filename [String, nil] what people see; the file's own name by default, and for an IO without one the kind
      # @param part_bytes [Integer] the size of a part, which is held in memory
      # @yieldparam progress [UploadProgress] once the id is known, and after each part
      # @return [Upload] which the service analyses from now on; see {#wait}
      # @raise [BeatMarketError] if the file cannot be read
      # @raise [InvalidRequestError] if it is too large, or the account has too much that no beat uses
      # @raise [APIStatusError, APIConnectionError]
      def upload(file, kind:, filename: nil, part_bytes: PART_BYTES, &progress)
        [kind, filename || ""].each do |text|
          raise BeatMarketError, "kind and filename must be a String, not #{text.inspect}" unless text.is_a?(String) || text.is_a?(Symbol)
        end
        get(TusUpload.open(@transport, file, part_bytes, progress) { |upload| upload.begin(kind, (filename || name_of(file) || kind).to_s) })
      end

      # Sends the rest of a file whose upload was begun, also by another process.
      #
      # @param upload_id [String]
      # @param file [String, Pathname, IO] the same one
      # @param part_bytes [Integer] as for {#upload}
      # @yieldparam progress [UploadProgress] as for {#upload}
      # @return [Upload]
      # @raise [BeatMarketError] if the file cannot be read, or has another size than the upload
      # @raise [NotFoundError] if the account has no such upload, or no longer
      # @raise [APIStatusError, APIConnectionError]
      def resume(upload_id, file, part_bytes: PART_BYTES, &progress)
        TusUpload.open(@transport, file, part_bytes, progress) { |upload| upload.send_rest(upload_id) }
        get(upload_id)
      end

      # Waits until an upload is ready.
      #
      # @param upload_id [String]
      # @param timeout [Numeric] seconds
      # @return [Upload]
      # @raise [UploadRejectedError] if its file was rejected
      # @raise [APITimeoutError] if it is neither in time
      # @raise [NotFoundError] if the account has no such upload, or no longer
      # @raise [APIStatusError, APIConnectionError]
      def wait(upload_id, timeout: 600)
        raise BeatMarketError, "timeout must be seconds from 0, not #{timeout.inspect}" unless timeout.is_a?(Numeric) && timeout >= 0

        ends = now + timeout
        pause = 1
        loop do
          upload = get(upload_id)
          return upload if upload.status == "ready"
          raise UploadRejectedError, upload if upload.status == "rejected"

          left = ends - now
          raise APITimeoutError, "The upload #{upload_id} is #{upload.status} after #{timeout} s" unless left.positive?

          @transport.pause([pause, left].min)
          pause = [pause * 2, LONGEST_PAUSE_SECONDS].min
        end
      end

      private

      def name_of(file)
        path = file.respond_to?(:seek) ? (file.path if file.respond_to?(:path)) : file
        File.basename(path) if path
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
