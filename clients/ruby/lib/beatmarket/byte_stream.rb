# frozen_string_literal: true

require "json"
require "zlib"
require_relative "errors"

module BeatMarket
  # Takes the body of a response over several attempts. If the response has an ETag, the next attempt requests the rest;
  # otherwise it begins again.
  #
  # @api private
  class ByteStream
    # Wraps an error of the caller's own code, so that it is not mistaken for an error of the connection.
    class Stopped < Exception; end

    # @return what the block returns
    # @raise [StandardError] an error of the caller's own code, as it was raised
    def self.unwrapped
      yield
    rescue Stopped => stopped
      raise stopped.cause, cause: stopped.cause.cause
    end

    # @param bytes [Integer] the number of bytes that an earlier call received
    def initialize(bytes = 0)
      @bytes = @bytes_before = bytes
      @asked = @overlap = 0
    end

    # Requests the rest, if the content has not changed. Starts with the last received byte, because a range must not
    # be empty.
    def headers
      return {} if @bytes.zero? || @etag.nil?

      @asked = @bytes - 1
      { "range" => "bytes=#{@asked}-", "if-range" => @etag }
    end

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for this stream
    def begin(response)
      case response.code
      when "200"
        begin_again
        @bytes = @overlap = 0
      when "206"
        range = response["content-range"].to_s
        raise APIConnectionError, "The service sends the range #{range.inspect} instead of the bytes from #{@asked}" unless range.start_with?("bytes #{@asked}-")

        @overlap = @bytes - @asked
      else return false
      end
      @etag = response["etag"]
      true
    end

    # @return [Numeric, nil] the timeout between bytes; nil for the timeout of the request
    def quiet_seconds = nil

    def write(chunk)
      fresh = chunk.byteslice(@overlap..)
      @overlap = 0
      take(fresh)
      @bytes += fresh.bytesize
    end

    # @return [Boolean] whether bytes arrived since the last call; if so, attempts count from one again
    def advanced?
      (@bytes > @bytes_before).tap { @bytes_before = @bytes }
    end

    private

    def own
      yield
    rescue StandardError
      raise Stopped
    end
  end

  # Writes to a file.
  #
  # @api private
  class FileStream < ByteStream
    # Writes to "<path>.part", and renames it at the end. A call that fails deletes "<path>.part", and does not change
    # the file at the path. A device or a pipe is written directly.
    #
    # @param path [String, Pathname]
    # @yieldparam stream [FileStream] takes the body
    # @return what the block returns
    # @raise [BeatMarketError] if the file cannot be written
    def self.to(path, &)
      on_disk(path) do
        raise TypeError, "it is not a path" if path.is_a?(Integer) # File.open takes the descriptor of an open file, and would close it.
        # A device or a pipe cannot be replaced.
        next open(path, &) if File.exist?(path) && !File.file?(path)

        part = "#{path}.part"
        begin
          open(part, File::TRUNC, &).tap { File.rename(part, path) }
        ensure
          File.delete(part) if File.exist?(part)
        end
      end
    end

    def self.open(path, mode = 0)
      File.open(path, File::RDWR | File::CREAT | File::BINARY | mode) do |file|
        file.sync = true # So that a full disk fails the write, not the close.
        yield new(file, path)
      end
    end
    private_class_method :open

    # @raise [BeatMarketError] if the file at this path cannot be written
    def self.on_disk(path)
      yield
    rescue SystemCallError, TypeError => error
      raise BeatMarketError, "The file #{path} cannot be written: #{error.message}"
    end

    # @param path [String, Pathname] for messages
    def initialize(file, path, bytes = 0)
      super(bytes)
      @file = file
      @path = path
      file.seek(bytes)
    end

    private

    def begin_again
      FileStream.on_disk(@path) do
        @file.truncate(0) if @file.size.positive?
        @file.rewind
      end
    end

    def take(bytes) = FileStream.on_disk(@path) { @file.write(bytes) }
  end

  # Reads lines of JSON from gzip.
  #
  # @api private
  class LineStream < ByteStream
    # @return [Integer, nil] X-Change-Position of the export; nil before its response
    attr_reader :position

    # @yieldparam fields [Hash] of a line, frozen
    def initialize(&block)
      super()
      @block = block
      @inflate = Zlib::Inflate.new(Zlib::MAX_WBITS + 16)
      @rest = "".b
    end

    # @return [Boolean]
    def begin(response)
      super && (@position = response["x-change-position"]&.to_i and true)
    end

    # @return [Boolean] whether the export is complete
    def finished? = @inflate.finished? && @rest.empty?

    private

    # Beats of the older export may have been yielded already, so this error is not retried.
    def begin_again
      own { raise APIConnectionError, "A newer export took the place of this one while it was read: begin again" } if @bytes.positive?
    end

    def take(bytes)
      *lines, @rest = (@rest << @inflate.inflate(bytes)).split("\n", -1)
      @rest ||= "".b
      lines.each { |line| JSON.parse(line.force_encoding(Encoding::UTF_8), freeze: true).then { |fields| own { @block.call(fields) } } }
    end
  end
end
