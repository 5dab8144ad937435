# frozen_string_literal: true

require_relative "../generated/resources/uploads"

module BeatMarket
  module Resources
    class Uploads
      # The default size of a part. A file that fits into one part is sent in one request.
      PART_BYTES = 8_000_000
      LONGEST_PAUSE_SECONDS = 8
      private_constant :LONGEST_PAUSE_SECONDS

      private

      def transfer_upload(file, kind, filename, part_bytes, progress)
        [kind, filename || ""].each do |text|
          raise BeatMarketError, "kind and filename must be a String, not #{text.inspect}" unless text.is_a?(String) || text.is_a?(Symbol)
        end
        get(TusUpload.open(@transport, file, part_bytes, progress) { |upload| upload.begin(kind, (filename || name_of(file) || kind).to_s) })
      end

      def transfer_resume(upload_id, file, part_bytes, progress)
        TusUpload.open(@transport, file, part_bytes, progress) { |upload| upload.send_rest(upload_id) }
        get(upload_id)
      end

      def transfer_wait(upload_id, timeout)
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

      def name_of(file)
        path = file.respond_to?(:seek) ? (file.path if file.respond_to?(:path)) : file
        File.basename(path) if path
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
