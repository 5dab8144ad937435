# frozen_string_literal: true

require "digest"
require_relative "download"

module BeatMarket
  # How far a download is.
  #
  # @!attribute [r] kind
  #   @return [String] mp3, wav, stems or license
  # @!attribute [r] received
  #   @return [Integer] bytes of the file that are on the disk
  # @!attribute [r] bytes
  #   @return [Integer] of the whole file
  DownloadProgress = Struct.new(:kind, :received, :bytes, keyword_init: true)

  # What has arrived of a file of an order, beside the place where it goes once it is whole: beat.wav.part.
  #
  # @api private
  class PartFile < Download
    # Carries an error of the caller's block, its cause, past what would take it for one of the connection.
    class Stopped < Exception; end

    # Opens what an earlier call left, or a new one.
    #
    # @param order_id [Integer, String]
    # @param its [OrderFile]
    # @param destination [String]
    # @param progress [Proc, nil] called with a {DownloadProgress}
    # @yieldparam part [PartFile]
    # @return what the block returns
    # @raise [BeatMarketError] if the file cannot be written
    def self.open(order_id, its, destination, progress)
      raise BeatMarketError, "#{destination} is a folder: name the file that is to be in it" if File.directory?(destination)

      begin
        file = File.open("#{destination}.part", File::RDWR | File::CREAT | File::BINARY)
      rescue SystemCallError => error
        raise BeatMarketError, "The file #{destination} cannot be written: #{error.message}"
      end
      begin
        yield new(file, order_id, its, destination, progress)
      ensure
        file.close
      end
    end

    # @api private
    def initialize(file, order_id, its, destination, progress)
      super(file)
      @order_id = order_id
      @its = its
      @destination = destination
      @progress = progress
      go_on_from(file.size > its.bytes ? 0 : file.size)
      advanced? # What was there is no advance.
      @is_old = @bytes.positive?
      report
    end

    # @return [Boolean] whether an earlier call began it
    def old? = @is_old

    # @return [Boolean]
    def whole? = @bytes == @its.bytes

    # The files of an order never change, so the range needs no condition; the hash decides.
    #
    # @return [Hash{String => String}]
    def headers = @bytes.zero? ? {} : { "range" => "bytes=#{@bytes}-" }

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for the file
    def begin(response)
      range = response["content-range"].to_s
      if response.code == "206" && !range.start_with?("bytes #{@bytes}-")
        raise APIConnectionError, "The service sends the range #{range.inspect} instead of the bytes from #{@bytes}"
      end

      go_on_from(0) if response.code == "200"
      %w[200 206].include?(response.code)
    end

    # @param chunk [String]
    # @return [Integer] its bytes
    # @raise [ChecksumError] if these are more bytes than the file has
    # @raise [BeatMarketError] if the disk is full
    def write(chunk)
      raise wrong("more than #{@its.bytes} bytes") if @bytes + chunk.bytesize > @its.bytes

      on_disk { super }.tap { report }
    end

    # Gives the whole file its name.
    #
    # @return [void]
    # @raise [ChecksumError] if its bytes are others than the service lists
    # @raise [BeatMarketError] if it cannot be written
    def finish
      on_disk { @file.fsync }
      sha256 = Digest::SHA256.file(@file.path).hexdigest
      raise wrong("SHA-256 #{sha256}, not #{@its.sha256}") if sha256 != @its.sha256

      @file.close
      on_disk { File.rename(@file.path, @destination) }
    end

    # @return [void]
    def delete
      @file.close
      File.delete(@file.path)
    end

    private

    def on_disk
      yield
    rescue SystemCallError => error
      raise BeatMarketError, "The file #{@destination} cannot be written: #{error.message}"
    end

    def report
      @progress&.call(DownloadProgress.new(kind: @its.kind, received: @bytes, bytes: @its.bytes).freeze)
    rescue StandardError
      raise Stopped
    end

    def wrong(how)
      ChecksumError.new("The file #{@its.kind} of order #{@order_id} came with other bytes than the service lists (#{how}) " \
                        "and was deleted; download it again.")
    end
  end
end
