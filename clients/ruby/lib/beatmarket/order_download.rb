# frozen_string_literal: true

require "digest"
require_relative "resource"

module BeatMarket
  # The progress of a download.
  #
  # @!attribute [r] kind
  #   @return [String] mp3, wav, stems or license
  # @!attribute [r] received
  #   @return [Integer] bytes of the file that are on the disk
  # @!attribute [r] bytes
  #   @return [Integer] the size of the whole file
  DownloadProgress = Struct.new(:kind, :received, :bytes, keyword_init: true)

  # A file of an order on the disk, with the checksum that the service lists.
  #
  # @!attribute [r] kind
  #   @return [String] mp3, wav, stems or license
  # @!attribute [r] filename
  #   @return [String] the name that the service gives it
  # @!attribute [r] bytes
  #   @return [Integer] its size
  # @!attribute [r] sha256
  #   @return [String] the SHA-256 of its bytes, in hex
  # @!attribute [r] path
  #   @return [String] the path of the file
  DownloadedFile = Struct.new(:kind, :filename, :bytes, :sha256, :path, keyword_init: true)

  # Downloads the files of an order by their signed links, which need no key. Writes to beat.wav.part, and renames it to
  # beat.wav when it is complete.
  #
  # @api private
  class OrderDownload
    include Calls

    # @param transport [Transport]
    # @param order_id [Integer, String]
    # @param progress [Proc, nil] called with a {DownloadProgress}
    def initialize(transport, order_id, progress)
      @transport = transport
      @order_id = order_id
      @progress = progress
      @settings = transport.settings.transferring
    end

    # @return [DownloadedFile]
    # @raise [BeatMarketError] if the order has no such file, or the destination cannot be written
    def one(kind, destination)
      ByteStream.unwrapped { store(file_of(kind, @settings), destination) }
    end

    # @return [Array<DownloadedFile>] in the order of the listing
    # @raise [BeatMarketError] if the order has no files, or the folder cannot be written
    def all(folder)
      listed = files(@settings)
      require "fileutils"
      FileStream.on_disk(folder) { FileUtils.mkdir_p(folder) }
      names = {}
      listed.map do |file|
        name = FileName.safe(file.filename.to_s, file.kind.to_s)
        name = "#{file.kind} #{name}" if names.key?(name.downcase)
        names[name.downcase] = true
        ByteStream.unwrapped { store(usable(file), File.join(folder, name)) }
      end
    end

    private

    def files(settings)
      listed = data(perform("listOrderFiles", "/orders/#{@transport.segment(@order_id)}/files", settings: settings), OrderFiles).files
      listed = listed.is_a?(Array) ? listed.grep(OrderFile) : []
      raise BeatMarketError, "The order #{@order_id} has no files: its license is refunded." if listed.empty?

      listed
    end

    def file_of(kind, settings)
      listed = files(settings)
      usable(listed.find { |file| file.kind == kind } ||
        raise(BeatMarketError, "The order #{@order_id} has no #{kind}; it has #{listed.map(&:kind).join(", ")}."))
    end

    def usable(file)
      return file if file.bytes.is_a?(Integer) && [file.url, file.sha256].all?(String)

      raise BeatMarketError, "The order #{@order_id} lists its #{file.kind} in an unknown form: is there a newer version of this library?"
    end

    def store(file, destination)
      raise BeatMarketError, "#{destination} is a folder: name a file in it" if File.directory?(destination)

      if there?(file, destination) then report(file, file.bytes)
      else receive(file, destination)
      end
      DownloadedFile.new(kind: file.kind, filename: file.filename, bytes: file.bytes, sha256: file.sha256, path: destination).freeze
    end

    # Starts over once if the partial file of an earlier call has other content.
    def receive(file, destination, is_second: false)
      part = FileStream.on_disk(destination) { open_part("#{destination}.part", file.bytes) }
      stream = Part.new(part, file, destination, method(:report))
      fetch(file, stream)
      stream.verify
      FileStream.on_disk(destination) { [part.fsync, part.close, File.rename(part.path, destination)] }
    rescue Part::Wrong => wrong
      File.delete(part.path)
      raise ChecksumError, "The file #{file.kind} of order #{@order_id} came with other bytes than the service lists (#{wrong.message}) " \
                           "and was deleted; download it again." if is_second || !stream.old?

      receive(file, destination, is_second: true)
    ensure
      part&.close
    end

    # Resumes after a broken connection, and with a new link after the old one has expired.
    def fetch(file, stream)
      link = file.url
      @transport.retrying("file #{file.kind} of order", @order_id, @settings, stream) do |number|
        is_renewed = false
        begin
          link ||= file_of(file.kind, @settings.with(max_retries: 0)).url
          @transport.fetch(link, stream, number) unless stream.whole?
        rescue GoneError
          raise if is_renewed

          is_renewed = true
          link = nil
          retry
        end
        raise APIConnectionError, "The response ended within the file" unless stream.whole?
      end
    end

    def there?(file, path)
      File.file?(path) && File.size(path) == file.bytes && Digest::SHA256.file(path).hexdigest == file.sha256
    rescue SystemCallError
      false
    end

    def report(file, received)
      @progress&.call(DownloadProgress.new(kind: file.kind, received: received, bytes: file.bytes).freeze)
    end

    # Opens the partial file. Empties it if it is longer than the whole file.
    def open_part(path, bytes)
      File.open(path, File::RDWR | File::CREAT | File::BINARY).tap do |part|
        part.sync = true # So that a full disk fails the write, not the close.
        part.truncate(0) if part.size > bytes
      end
    end

    # The received part of a file.
    class Part < FileStream
      # The error for a file whose bytes differ from the listed checksum.
      class Wrong < StandardError; end

      def initialize(part, file, destination, report)
        super(part, destination, part.size)
        @listed = file
        @report = report
        @is_old = @bytes.positive?
        own { @report.call(file, @bytes) }
      end

      # Whether an earlier call created the partial file.
      def old? = @is_old

      def whole? = @bytes == @listed.bytes

      # The files of an order never change, so the range needs no condition. The checksum decides.
      def headers
        @asked = @bytes
        @bytes.zero? ? {} : { "range" => "bytes=#{@bytes}-" }
      end

      def write(chunk)
        raise Wrong, "more than #{@listed.bytes} bytes" if @bytes + chunk.bytesize > @listed.bytes

        super
        own { @report.call(@listed, @bytes) }
      end

      def verify
        @file.flush
        sha256 = Digest::SHA256.file(@file.path).hexdigest
        raise Wrong, "SHA-256 #{sha256}, not #{@listed.sha256}" if sha256 != @listed.sha256
      end
    end
    private_constant :Part
  end
end
