# frozen_string_literal: true

require "digest"
require_relative "errors"

module BeatMarket
  # The progress of an upload.
  #
  # @!attribute [r] upload_id
  #   @return [String] the id for +uploads.resume+, also in a later process
  # @!attribute [r] sent
  #   @return [Integer] bytes that the service has
  # @!attribute [r] bytes
  #   @return [Integer] of the whole file
  UploadProgress = Struct.new(:upload_id, :sent, :bytes, keyword_init: true)

  # Sends a file by tus 1.0 (https://tus.io/protocols/resumable-upload), with one part of it in memory.
  #
  # @api private
  class TusUpload
    # The slowest connection on which a part still arrives in time.
    BYTES_PER_SECOND = 64_000

    # @param transport [Transport]
    # @param source [String, Pathname, IO] a path, or a seekable IO, which stays open
    # @param part_bytes [Integer] the size of a part
    # @param progress [Proc, nil] called when the id is known, and after each part
    # @yieldparam upload [TusUpload] with the file open
    # @return what the block returns
    # @raise [BeatMarketError] if the file cannot be read
    def self.open(transport, source, part_bytes, progress)
      unless part_bytes.is_a?(Integer) && part_bytes.positive?
        raise BeatMarketError, "part_bytes must be a whole number from 1, not #{part_bytes.inspect}"
      end

      file = begin
        raise TypeError, "it is not a path" if source.is_a?(Integer) # File.open takes the descriptor of an open file, and would close it.

        source.respond_to?(:seek) ? source.tap { source.seek(0) } : File.open(source, "rb").tap { |file| raise Errno::EISDIR if file.stat.directory? }
      rescue SystemCallError, IOError, TypeError => error
        raise BeatMarketError, "The file #{source.inspect} cannot be read: #{error.message}"
      end
      yield new(transport, file, part_bytes, progress)
    ensure
      file.close unless file.nil? || file.equal?(source)
    end

    def initialize(transport, file, part_bytes, progress)
      @transport = transport
      @file = file
      @bytes = file.size
      @part_bytes = part_bytes
      @progress = progress
      @buffer = +"".b
    end

    # Uploads the whole file. If it fits into one part, sends one request.
    #
    # @return [String] the id of the upload
    def begin(kind, filename)
      part = part(0) if @bytes <= @part_bytes
      metadata = { kind: kind.to_s, filename: filename }.map { |name, value| "#{name} #{[value].pack("m0")}" }.join(",")
      headers = { "Upload-Length" => @bytes, "Upload-Metadata" => metadata }
      response = send_part("POST", "/uploads", part, headers, max_retries: @transport.settings.max_retries)
      # Only the id is used, so that the key is sent only to the base URL.
      id = response.header("location").to_s[%r{/uploads/(\w+)\z}, 1] or raise response.fault("The response has no address of an upload")
      send_rest(id, part.to_s.bytesize)
      id
    end

    # Sends the bytes that the service lacks. After a failure it requests the offset, and continues from there.
    #
    # @param offset [Integer, nil] the number of bytes that the service has; nil to request it
    def send_rest(id, offset = nil)
      @transport.retrying("upload", id, @transport.settings.transferring, self) do
        sent, offset = offset || offset_of(id), nil
        report(id, sent)
        report(id, sent = append(id, sent)) while sent < @bytes
      end
    end

    # @return [Boolean] whether the service received bytes since the last call; if so, attempts count from one again
    def advanced? = @has_advanced.tap { @has_advanced = false }

    private

    def offset_of(id)
      response = send_part("HEAD", path_of(id))
      bytes = response.header("upload-length")
      return offset_in(response) if bytes == @bytes.to_s

      raise BeatMarketError, "The file has #{@bytes} bytes, and the upload #{id} is for a file with #{bytes}: " \
                             "resume it with the same file"
    rescue NotFoundError
      @transport.call("GET", @transport.target(path_of(id))) # Its error has the reason, which a response to HEAD cannot have.
      raise
    end

    def append(id, offset) = offset_in(send_part("PATCH", path_of(id), part(offset), { "Upload-Offset" => offset }))

    def send_part(verb, path, part = nil, headers = {}, max_retries: 0)
      sent = { "Tus-Resumable" => "1.0.0", **headers }
      if part
        sent["Content-Type"] = "application/offset+octet-stream"
        sent["Upload-Checksum"] = "sha256 #{Digest::SHA256.base64digest(part)}"
      end
      timeout = @transport.settings.timeout + part.to_s.bytesize.fdiv(BYTES_PER_SECOND)
      settings = @transport.settings.with(timeout: timeout, max_retries: max_retries)
      @transport.call(verb, @transport.target(path), body: part, headers: sent, settings: settings, is_bare: true)
    end

    def path_of(id) = "/uploads/#{@transport.segment(id)}"

    # At most one part of the bytes from an offset. Each call reuses the memory of the previous one.
    def part(offset)
      length = [@part_bytes, @bytes - offset].min
      @file.seek(offset)
      @file.read(length, @buffer)
      return @buffer if @buffer.bytesize == length

      raise BeatMarketError, "The file #{@file.inspect} became shorter while it was uploaded: upload it again"
    end

    def report(id, sent)
      return if sent == @reported

      @has_advanced = !@reported.nil?
      @reported = sent
      @progress&.call(UploadProgress.new(upload_id: id, sent: sent, bytes: @bytes).freeze)
    end

    def offset_in(response)
      Integer(response.header("upload-offset") || raise(response.fault("The response has no Upload-Offset")), 10)
    end
  end
end
