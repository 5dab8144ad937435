# frozen_string_literal: true

require "json"
require "zlib"
require_relative "../generated/resources/exports"

module BeatMarket
  # A downloaded export. Enumerates its beats from the file, one at a time.
  class BeatExport
    include Enumerable

    # @return [String] the file
    attr_reader :path
    # @return [Integer] the export has every change up to this position. Continue from it with +changes.follow+
    attr_reader :position
    # @return [Response]
    attr_reader :response

    # @api private
    def initialize(path, response)
      @path = path
      @response = response
      @position = Integer(response.header("x-change-position") || raise(response.fault("The response is not an export: it has no X-Change-Position")))
    end

    # @yieldparam beat [BeatDetail]
    # @return [self, Enumerator]
    def each
      return to_enum unless block_given?

      Zlib::GzipReader.open(path, external_encoding: Encoding::UTF_8) do |lines|
        lines.each_line { |line| yield BeatDetail.new(JSON.parse(line, freeze: true)) }
      end
      self
    end
  end

  # An export that is read while it is downloaded. Each iteration downloads it again, which a key may do once an hour.
  class BeatStream
    include Enumerable

    # @return [Integer, nil] as for {BeatExport}; nil before the first beat
    attr_reader :position

    # @yieldparam stream [LineStream] takes the body
    # @api private
    def initialize(&download)
      @download = download
    end

    # Resumes after a lost connection. An error of the block ends the download.
    #
    # @yieldparam beat [BeatDetail]
    # @return [self, Enumerator]
    # @raise [RateLimitError] if the key took an export within the last hour
    # @raise [APIConnectionError] if a newer export replaces it during the download: beats of two exports do not mix
    # @raise [APIStatusError, APIConnectionError]
    def each
      return to_enum unless block_given?

      stream = LineStream.new do |fields|
        @position = stream.position
        yield BeatDetail.new(fields)
      end
      ByteStream.unwrapped { @download.call(stream) }
      @position = stream.position
      raise APIConnectionError, "The export ended within a beat: take it again" unless stream.finished?

      self
    end
  end

  module Resources
    class Exports
      private

      def transfer_beats(path)
        return BeatStream.new { |stream| perform("exportBeats", stream: stream) } if path.nil?

        BeatExport.new(path.to_s, FileStream.to(path) { |stream| perform("exportBeats", stream: stream) })
      end
    end
  end
end
