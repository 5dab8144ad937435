# frozen_string_literal: true

require "zlib"
require_relative "../download"
require_relative "resource"

module BeatMarket
  # A downloaded export. Enumerates its beats from the file, one at a time.
  class BeatExport
    include Enumerable

    # @return [String] the file
    attr_reader :path
    # @return [Integer] the export has every change up to this position: what +changes.follow+ goes on from
    attr_reader :position
    # @return [Response]
    attr_reader :response

    # @param path [String]
    # @param position [Integer]
    # @param response [Response]
    # @api private
    def initialize(path, position, response)
      @path = path
      @position = position
      @response = response
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

  module Resources
    # +client.exports+. Needs the permission +beats:read+.
    class Exports < Resource
      # Downloads all beats into a file, as gzip of one line of JSON each. Goes on where a connection breaks. The client's
      # timeout is how long it waits for the next bytes.
      #
      # @param path [String, Pathname]
      # @return [BeatExport]
      # @raise [RateLimitError] if the key took an export within the last hour
      # @raise [APIStatusError, APIConnectionError]
      def beats(path)
        File.open(path, "wb") do |file|
          download = ExportDownload.new(file)
          response = perform("exportBeats", download: download)
          BeatExport.new(path.to_s, download.position, response)
        end
      end
    end
  end
end
