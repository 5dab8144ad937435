# frozen_string_literal: true

require "net/http" # Loads OpenSSL only when it is first used: that takes as long as all the rest of this gem.
require_relative "adapted"
require_relative "errors"
require_relative "retries"
require_relative "time_limit"

module BeatMarket
  # A pool of keep-alive connections to one origin. Threads and forked processes can share it: a fork opens its own
  # connections.
  #
  # @api private
  class Connections
    # Maximum number of idle connections. Concurrent calls can open more.
    MAX_IDLE = 16
    TIME_LIMIT = TimeLimit.new
    # Shorter than the service's keep-alive timeout of 72 s.
    IDLE_SECONDS = 60

    # @param origin [URI::HTTP]
    # @param ca_file [String, nil] PEM file of the certificate authorities to trust instead of the system's
    # @param proxy [URI::HTTP, false, nil] instead of the proxy of the environment
    # @param adapter [#call, nil] in place of net/http
    # @raise [BeatMarketError] if the file cannot be read
    def initialize(origin, ca_file, proxy: nil, adapter: nil, authorities: ca_file && read_authorities(ca_file))
      @origin = origin
      @proxy = proxy
      @adapter = adapter
      @authorities = authorities
      @idle = []
      @owner = Process.pid
      @lock = Mutex.new
    end

    # @param uri [URI::HTTP]
    # @return [Connections] to the origin of this address, with the same authorities; self, if the origin is the same
    def to(uri)
      is_same = [uri.scheme, uri.hostname, uri.port] == [@origin.scheme, @origin.hostname, @origin.port]
      is_same ? self : self.class.new(uri, nil, proxy: @proxy, adapter: @adapter, authorities: @authorities)
    end

    # Sends one attempt.
    #
    # @param request [Net::HTTPGenericRequest]
    # @param timeout [Numeric] seconds from connecting to the last byte of the response
    # @param stream [ByteStream, nil] takes the body of a successful response; the timeout is then between its bytes
    # @yieldparam response [Net::HTTPResponse] before its body
    # @return [Net::HTTPResponse]
    # @raise [APITimeoutError, APIConnectionError]
    def exchange(request, timeout, stream = nil, &begun)
      borrow do |connection|
        next receive(connection, request, timeout, stream, &begun) if stream

        TIME_LIMIT.within(timeout) do
          connection.start unless connection.started?
          connection.request(request, &begun)
        end
      end
    rescue Timeout::Error
      raise APITimeoutError, "No complete response from #{origin_text} within #{timeout} s"
    rescue OpenSSL::SSL::SSLError => error
      raise APIConnectionError, "No TLS connection to #{origin_text}: #{error.message}" unless Retries.certificate?(error)

      raise APIConnectionError, "The certificate of #{origin_text} is not trusted: #{error.message}. " \
                                "Pass ca_file to trust your own authority"
    rescue SystemCallError, IOError, SocketError, Net::ProtocolError, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError,
           Zlib::Error => error
      raise APIConnectionError, "No response from #{origin_text}: #{error.message}"
    end

    # Closes idle connections.
    #
    # @return [void]
    def close
      idle = @lock.synchronize { [@idle, @idle = []].first }
      idle.each { |connection| discard(connection) } if @owner == Process.pid
    end

    private

    # Returns a connection to the pool only after a complete response. Otherwise the next caller would read its rest.
    # This must hold for every way to end the exchange, including a Timeout or Thread#kill by the caller.
    def borrow
      connection = take
      response = yield connection
      is_complete = true
      response
    ensure
      is_complete ? release(connection) : discard(connection) if connection
    end

    def take
      @lock.synchronize do
        # The parent still uses these sockets. They are dropped, not closed: a close would end its TLS sessions.
        @idle, @owner = [], Process.pid if @owner != Process.pid
        @idle.pop
      end || open
    end

    def release(connection)
      is_kept = @lock.synchronize { @idle.push(connection) if @idle.size < MAX_IDLE }
      discard(connection) unless is_kept
    end

    def discard(connection)
      connection.finish if connection.started?
    rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
      nil # already closed
    end

    def receive(connection, request, timeout, stream)
      connection.open_timeout = connection.read_timeout = connection.write_timeout = timeout
      connection.start unless connection.started?
      connection.request(request) do |response|
        yield response if block_given?
        next unless stream.begin(response)

        connection.read_timeout = stream.quiet_seconds || timeout

        bytes = 0
        response.read_body { |chunk| bytes += chunk.bytesize and stream.write(chunk) }
        # net/http treats a truncated body as complete.
        raise EOFError, "The connection was closed within the body" if bytes < response.content_length.to_i
      end
    ensure
      connection.open_timeout = connection.read_timeout = connection.write_timeout = nil
    end

    # Disables the timeouts and retries of net/http: {TimeLimit} and {Transport} implement them.
    def open
      return Adapted.new(@adapter, @origin) if @adapter

      Net::HTTP.new(@origin.hostname, @origin.port, *proxy).tap do |connection|
        connection.max_retries = 0
        connection.keep_alive_timeout = IDLE_SECONDS
        connection.open_timeout = connection.read_timeout = connection.write_timeout = nil
        next unless @origin.scheme == "https"

        connection.use_ssl = true
        connection.cert_store = @authorities if @authorities
      end
    end

    # Uses HTTPS_PROXY and NO_PROXY; net/http itself would use HTTP_PROXY for https too.
    def proxy
      found = (@proxy.nil? ? @origin.find_proxy : @proxy) or return [nil]
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
