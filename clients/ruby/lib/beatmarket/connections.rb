# frozen_string_literal: true

require "net/http"
require_relative "errors"
require_relative "time_limit"

module BeatMarket
  # Open connections to one origin, kept alive and lent to one caller at a time. Threads and forked processes may share
  # it: a fork opens its own.
  #
  # @api private
  class Connections
    # Connections that are kept while nobody uses them; more are opened when more are needed at once.
    MAX_IDLE = 16
    TIME_LIMIT = TimeLimit.new
    # Shorter than the 72 s after which the service closes them.
    IDLE_SECONDS = 60

    # @param origin [URI::HTTP]
    # @param ca_file [String, nil] PEM file of the authorities to trust instead of the system's
    # @raise [BeatMarketError] when the file cannot be read
    def initialize(origin, ca_file)
      @origin = origin
      @authorities = read_authorities(ca_file) if ca_file
      @idle = []
      @owner = Process.pid
      @lock = Mutex.new
    end

    # Sends one request, once.
    #
    # @param request [Net::HTTPGenericRequest]
    # @param timeout [Numeric] seconds for all of it: connecting, sending, and the answer to its last byte
    # @return [Net::HTTPResponse]
    # @raise [APITimeoutError, APIConnectionError]
    def exchange(request, timeout)
      borrow do |connection|
        TIME_LIMIT.within(timeout) do
          connection.start unless connection.started?
          connection.request(request)
        end
      end
    rescue Timeout::Error
      raise APITimeoutError, "No complete answer from #{origin_text} within #{timeout} s"
    rescue OpenSSL::SSL::SSLError => error
      raise APIConnectionError, "No trusted connection to #{origin_text}: #{error.message}. " \
                                "A certificate of your own authority needs ca_file"
    rescue SystemCallError, IOError, SocketError, Net::ProtocolError, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError,
           Zlib::Error => error
      raise APIConnectionError, "No answer from #{origin_text}: #{error.message}"
    end

    # Closes the connections that nobody uses.
    #
    # @return [void]
    def close
      idle = @lock.synchronize { [@idle, @idle = []].first }
      idle.each { |connection| discard(connection) } if @owner == Process.pid
    end

    private

    # A connection goes back only after a whole answer, else the next caller would read the rest of this one. That must
    # hold for whatever ends the exchange, a Timeout or Thread#kill of the caller's included.
    def borrow
      connection = take
      answer = yield connection
      is_whole = true
      answer
    ensure
      is_whole ? give_back(connection) : discard(connection) if connection
    end

    def take
      @lock.synchronize do
        # The sockets are the parent's too: forgotten, not closed, which would end its TLS sessions.
        @idle, @owner = [], Process.pid if @owner != Process.pid
        @idle.pop
      end || open
    end

    def give_back(connection)
      is_kept = @lock.synchronize { @idle.push(connection) if @idle.size < MAX_IDLE }
      discard(connection) unless is_kept
    end

    def discard(connection)
      connection.finish if connection.started?
    rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
      nil # it was closed already
    end

    # net/http's own time-outs and silent retries are off: {TimeLimit} and {Transport} have the only ones.
    def open
      Net::HTTP.new(@origin.hostname, @origin.port, *proxy).tap do |connection|
        connection.max_retries = 0
        connection.keep_alive_timeout = IDLE_SECONDS
        connection.open_timeout = connection.read_timeout = connection.write_timeout = nil
        next unless @origin.scheme == "https"

        connection.use_ssl = true
        connection.cert_store = @authorities if @authorities
      end
    end

    # HTTPS_PROXY and NO_PROXY count; net/http by itself goes by HTTP_PROXY for https as well.
    def proxy
      found = @origin.find_proxy or return [nil]
      [found.hostname, found.port, *[found.user, found.password].compact.map { |text| URI.decode_www_form_component(text) }]
    end

    def read_authorities(ca_file)
      OpenSSL::X509::Store.new.tap { |store| store.add_file(ca_file.to_s) }
    rescue OpenSSL::X509::StoreError
      raise BeatMarketError, "ca_file #{ca_file} is not a readable PEM file of certificates"
    end

    def origin_text = "#{@origin.scheme}://#{@origin.host}:#{@origin.port}"
  end
end
