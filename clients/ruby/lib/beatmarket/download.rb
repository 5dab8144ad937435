# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # Takes the body of a response over several attempts, and writes it to a file. Goes on where an attempt broke if the
  # service names the state of what it sends (ETag), else begins anew.
  #
  # @api private
  class Download
    # @param file [File]
    def initialize(file)
      @file = file
      @bytes = @bytes_before = 0
    end

    # Asks for the rest, if the service still has the same. From the last byte that came: a range may not be empty.
    #
    # @return [Hash{String => String}]
    def headers = @bytes.zero? || @etag.nil? ? {} : { "range" => "bytes=#{@bytes - 1}-", "if-range" => @etag }

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for the file
    def begin(response)
      status = response.code.to_i
      return false unless [200, 206].include?(status)

      @etag = response["etag"]
      go_on_from(status == 206 ? @bytes - 1 : 0)
      true
    end

    # @param chunk [String]
    # @return [Integer] its bytes
    def write(chunk)
      @file.write(chunk).tap { |bytes| @bytes += bytes }
    end

    # @return [Boolean] whether something came since the last call: then the attempts are counted anew
    def advanced?
      (@bytes > @bytes_before).tap { @bytes_before = @bytes }
    end

    private

    def go_on_from(bytes)
      @bytes = bytes
      @file.truncate(bytes)
      @file.seek(bytes)
    end
  end

  # Takes an export of the catalogue.
  #
  # @api private
  class ExportDownload < Download
    # @return [Integer, nil] X-Change-Position of the export
    attr_reader :position

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for the file
    def begin(response)
      return false unless super

      @position = Integer(response["x-change-position"] || raise(APIConnectionError, "The response is no export: it has no X-Change-Position"))
      true
    end
  end
end
