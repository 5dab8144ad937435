# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # Takes the body of a response over several attempts, and writes it to a file.
  #
  # @api private
  class Download
    # @return [Integer, nil] X-Change-Position of the export
    attr_reader :position

    # @param file [File]
    def initialize(file)
      @file = file
      @bytes = @bytes_before = 0
    end

    # Asks for the rest, if the service still has the same export. From the last byte that came: a range may not be empty.
    #
    # @return [Hash{String => String}]
    def headers = @bytes.zero? || @etag.nil? ? {} : { "range" => "bytes=#{@bytes - 1}-", "if-range" => @etag }

    # @param response [Net::HTTPResponse] before its body
    # @return [Boolean] whether its body is for the file
    def begin(response)
      status = response.code.to_i
      return false unless [200, 206].include?(status)

      @position = Integer(response["x-change-position"] || raise(APIConnectionError, "The response is no export: it has no X-Change-Position"))
      @etag = response["etag"]
      @bytes = status == 206 ? @bytes - 1 : 0
      @file.truncate(@bytes)
      @file.seek(@bytes)
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
  end
end
