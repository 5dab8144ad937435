# frozen_string_literal: true

require "fileutils"
require_relative "file_name"
require_relative "operations"
require_relative "part_file"

module BeatMarket
  # A file of an order on the disk, whose bytes are those that the service lists.
  #
  # @!attribute [r] kind
  #   @return [String] mp3, wav, stems or license
  # @!attribute [r] filename
  #   @return [String] what the service calls it
  # @!attribute [r] bytes
  #   @return [Integer] its size
  # @!attribute [r] sha256
  #   @return [String] of its bytes, in hex
  # @!attribute [r] path
  #   @return [String] where it is
  DownloadedFile = Struct.new(:kind, :filename, :bytes, :sha256, :path, keyword_init: true)

  # Downloads the files of an order by their signed links, which need no key.
  #
  # @api private
  class Delivery
    # How long the service itself waits for files that are being made.
    WAIT_SECONDS = 10

    # @param transport [Transport]
    # @param order_id [Integer, String]
    # @param progress [Proc, nil] called with a {DownloadProgress}
    def initialize(transport, order_id, progress = nil)
      @transport = transport
      @order_id = order_id
      @progress = progress
    end

    # @param settings [Transport::Settings]
    # @return [OrderFiles]
    def files(settings = @transport.settings)
      path = OPERATIONS.fetch("listOrderFiles").path.sub("{order_id}", @transport.segment(@order_id))
      response = @transport.call("GET", @transport.target(path), settings: settings.waiting(WAIT_SECONDS))
      response.member("files", Array)
      OrderFiles.new(response.body["data"], response)
    end

    # @param kind [String]
    # @param destination [String]
    # @return [DownloadedFile]
    # @raise [BeatMarketError] if the order has no such file, or the destination cannot be written
    def download(kind, destination) = store(find(kind, files(patience)), destination)

    # @param folder [String]
    # @return [Array<DownloadedFile>] in the order of the listing
    # @raise [BeatMarketError] if the order has no files, or the folder cannot be written
    def download_all(folder)
      listed = files(patience).files
      raise refunded if listed.empty?

      make(folder)
      names = {}
      listed.map do |file|
        name = FileName.safe(file.filename, file.kind)
        name = "#{file.kind} #{name}" if names.key?(name.downcase)
        names[name.downcase] = true
        store(file, File.join(folder, name))
      end
    end

    private

    def patience = @transport.settings.transferring

    def make(folder)
      FileUtils.mkdir_p(folder)
    rescue SystemCallError => error
      raise BeatMarketError, "The folder #{folder} cannot be made: #{error.message}"
    end

    def find(kind, listed)
      files = listed.files.grep(OrderFile)
      raise refunded if files.empty?

      file = files.find { |its| its.kind == kind } or
        raise BeatMarketError, "The order #{@order_id} has no #{kind}; it has #{files.map(&:kind).join(", ")}."
      return file if file.bytes.is_a?(Integer) && [file.url, file.sha256].all?(String)

      raise BeatMarketError, "The order #{@order_id} lists its #{kind} in an unknown form: is there a newer version of this library?"
    end

    def refunded = BeatMarketError.new("The order #{@order_id} has no files: its license is refunded.")

    # Fetches the file, unless it is there. Begins anew, once, if its bytes are not what an earlier call began.
    def store(file, destination)
      if there?(file, destination)
        @progress&.call(DownloadProgress.new(kind: file.kind, received: file.bytes, bytes: file.bytes).freeze)
      elsif receive(file, destination) == :anew
        receive(file, destination, is_last: true)
      end
      DownloadedFile.new(kind: file.kind, filename: file.filename, bytes: file.bytes, sha256: file.sha256, path: destination).freeze
    end

    def receive(file, destination, is_last: false)
      PartFile.open(@order_id, file, destination, @progress) do |part|
        fetch(file, part)
        part.finish
      rescue ChecksumError
        part.delete
        raise if is_last || !part.old?

        :anew
      end
    rescue PartFile::Stopped => stopped
      raise stopped.cause, cause: stopped.cause.cause
    end

    # Goes on where a connection breaks, and with another link where one expires.
    def fetch(file, part)
      link = file.url
      @transport.retrying("file #{file.kind} of order #{@order_id}", patience, -> { part.advanced? }) do
        is_renewed = false
        begin
          link ||= find(file.kind, files(@transport.settings.once)).url
          @transport.fetch(link, part) unless part.whole?
        rescue GoneError
          raise if is_renewed

          is_renewed = true
          link = nil
          retry
        end
        raise APIConnectionError, "The response ended within the file" unless part.whole?
      end
    end

    def there?(file, path)
      File.file?(path) && File.size(path) == file.bytes && Digest::SHA256.file(path).hexdigest == file.sha256
    rescue SystemCallError
      false
    end
  end
end
