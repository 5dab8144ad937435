# frozen_string_literal: true

require "json"
require "securerandom"
require "stringio"
require "time"
require "uri"
require_relative "connections"
require_relative "response"
require_relative "retries"
require_relative "version"

module BeatMarket
  # Sends requests: URL, headers, retries, log. Independent of the resources.
  #
  # @api private
  class Transport
    # The slowest line on which a part of an upload still arrives in time.
    UPLOAD_BYTES_PER_SECOND = 64_000
    LEAST_RETRIES_OF_TRANSFERS = 5
    # Of a link; those of the API are not followed.
    REDIRECTS = [301, 302, 303, 307, 308].freeze
    MAX_REDIRECTS = 5
    USER_AGENT = "beatmarket-ruby/#{VERSION}"

    # The settings that can differ between calls.
    Settings = Struct.new(:timeout, :max_retries, :max_retry_after, :logger, keyword_init: true) do
      # @param seconds [Numeric, nil] how long the service may wait before it responds
      # @return [Settings]
      def waiting(seconds) = self.class.new(**to_h, timeout: timeout + (seconds || 0))

      # For a request with a part of a file.
      #
      # @param bytes [Integer] of the part; extend the timeout
      # @param max_retries [Integer]
      # @return [Settings]
      def sending(bytes, max_retries)
        self.class.new(**to_h, timeout: timeout + bytes.fdiv(UPLOAD_BYTES_PER_SECOND), max_retries: max_retries)
      end

      # For the parts of an upload and the rest of a download, which outlive a restart of the service and a change of network.
      #
      # @return [Settings]
      def transferring
        self.class.new(**to_h, max_retries: max_retries.zero? ? 0 : [max_retries, LEAST_RETRIES_OF_TRANSFERS].max)
      end

      # For one attempt of several.
      #
      # @return [Settings]
      def once = self.class.new(**to_h, max_retries: 0)

      # For a page of a stream: waits as long as the service asks; after the first page, retries without end.
      #
      # @param is_first [Boolean]
      # @return [Settings]
      def following(is_first)
        self.class.new(**to_h, max_retries: is_first ? max_retries : Float::INFINITY, max_retry_after: Float::INFINITY)
      end
    end

    # @param uri [URI::Generic]
    # @return [Boolean] whether others cannot read along: https, or http on the local machine
    def self.encrypted?(uri)
      return false if uri.userinfo || uri.hostname.to_s.empty?

      is_loopback = ["localhost", "::1"].include?(uri.hostname) || uri.hostname.match?(/\A127(\.\d{1,3}){3}\z/)
      uri.is_a?(URI::HTTPS) || (uri.is_a?(URI::HTTP) && is_loopback)
    end

    # @return [URI::HTTP] the base URL
    attr_reader :base
    # @return [Settings]
    attr_reader :settings
    # @return [Connections]
    attr_reader :connections

    # @param authorization [Proc] returns the Authorization header; a Proc, so that dumps do not show it
    # @param base [URI::HTTP]
    # @param connections [Connections]
    # @param settings [Settings]
    def initialize(authorization:, base:, connections:, settings:)
      @authorization = authorization
      @base = base
      @connections = connections
      @settings = settings
    end

    # @param settings [Settings]
    # @return [Transport] a copy with other settings that shares the connections
    def with(settings)
      self.class.new(authorization: @authorization, base: base, connections: connections, settings: settings)
    end

    # @param path [String] relative to the base URL
    # @param query [Hash, nil] parameters; nil values are omitted
    # @return [Response] 2xx
    # @raise [APIStatusError, APIConnectionError]
    def get(path, query = nil) = call("GET", target(path, query))

    # Sends a request, and retries temporary failures.
    #
    # @param verb [String] GET, POST …
    # @param target [String] path and query, including the path of the base URL
    # @param body [Object, nil] sent as JSON; a String is sent unchanged
    # @param headers [Hash] further headers
    # @param settings [Settings] of this call
    # @param download [Download, nil] takes the body
    # @param is_bare [Boolean] whether the response to a success has no JSON
    # @return [Response] 2xx with a JSON object, or 304
    # @raise [APIStatusError, APIConnectionError]
    def call(verb, target, body: nil, headers: {}, settings: self.settings, download: nil, is_bare: !download.nil?)
      text = body.nil? || body.is_a?(String) ? body : JSON.generate(body)
      sent = headers_for(verb, text, headers)
      retrying("#{verb} #{target}", settings, -> { download&.advanced? }) do
        attempt(verb, target, text, { **sent, **(download ? download.headers : {}) }, settings.timeout, download, is_bare)
      end
    end

    # Fetches a signed link once, without the key, and what it redirects to: the storage.
    #
    # @param link [String]
    # @param download [Download] takes the body
    # @return [Response] 2xx
    # @raise [APIStatusError, APIConnectionError]
    # @raise [BeatMarketError] if the link is no https address
    def fetch(link, download)
      uri = resolved(link) or raise BeatMarketError, "The link of the file is no https address"
      MAX_REDIRECTS.downto(0) do |left|
        response = follow(uri, download)
        raise response.fault unless response.success? || REDIRECTS.include?(response.status)
        return response if response.success?

        uri = resolved(response.header("location"), uri) if left.positive?
        raise response.fault("The link redirects too often, or to what is no https address") if uri.nil? || left.zero?
      end
    end

    # Tries until the block succeeds, or fails for good.
    #
    # @param name [String] for the log
    # @param settings [Settings]
    # @param advanced [Proc] whether a try got further than those before: they are counted anew then
    # @return what the block returns
    def retrying(name, settings, advanced)
      tries = 0
      begin
        tries += 1
        yield
      rescue APIStatusError, APIConnectionError => error
        tries = 1 if advanced.call
        raise if tries > settings.max_retries

        wait = Retries.wait(error, tries, settings.max_retry_after) or raise

        settings.logger&.warn("beatmarket") { "#{name} again in #{wait.round(1)} s: #{error.message}" }
        pause(wait)
        retry
      end
    end

    # @param seconds [Numeric]
    # @return [void]
    def pause(seconds) = sleep(seconds)

    # @param path [String] relative to the base URL
    # @param query [Hash, nil]
    # @return [String] path and query of the request
    def target(path, query = nil)
      target = base.path + path
      pairs = query&.compact&.map { |name, value| "#{escape(name)}=#{escape(value)}" }
      pairs.nil? || pairs.empty? ? target : "#{target}#{path.include?("?") ? "&" : "?"}#{pairs.join("&")}"
    end

    # @param address [String] a URL from a response
    # @return [String, nil] its path and query; nil if its origin is not that of the base URL
    def target_of(address)
      uri = URI.parse(address.to_s)
      uri.request_uri if [uri.scheme, uri.hostname, uri.port] == [base.scheme, base.hostname, base.port]
    rescue URI::InvalidURIError
      nil
    end

    # @param id [Integer, String] identifier in a path
    # @return [String] percent-encoded
    # @raise [BeatMarketError] if it is empty
    def segment(id)
      raise BeatMarketError, "An id cannot be #{id.inspect}" if ["", ".", ".."].include?(id.to_s)

      escape(id)
    end

    # @return [String]
    def inspect = "#<#{self.class} #{base}>"

    private

    # Sends one attempt.
    def attempt(verb, target, text, headers, timeout, download, is_bare)
      request = Net::HTTPGenericRequest.new(verb, !text.nil?, verb != "HEAD", target, headers)
      if text
        request.content_length = text.bytesize
        request.body_stream = StringIO.new(text) # As a body, net/http copies what is left of it after each write.
      end
      begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      http_response = exchange(request, timeout, download)
      body = http_response.body
      body = nil unless body.is_a?(String) # of a download
      response = Response.new(status: http_response.code.to_i, headers: http_response.to_hash, text: body, target: target, idempotency_key: headers["idempotency-key"])
      log(verb, response, begun)
      check(verb, response) unless is_bare && response.success?
      response
    end

    def exchange(request, timeout, download)
      connections.exchange(request, timeout, download)
    rescue APIConnectionError => error
      raise error.class.new(error.message, idempotency_key: request["idempotency-key"]), cause: error.cause
    end

    def follow(uri, download)
      headers = { "accept-encoding" => "identity", "user-agent" => USER_AGENT, **download.headers }
      request = Net::HTTPGenericRequest.new("GET", false, true, uri.request_uri, headers)
      begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      elsewhere = connections.to(uri)
      http_response = elsewhere.exchange(request, settings.timeout, download)
      text = http_response.body
      # Without the query, which has the signature.
      response = Response.new(status: http_response.code.to_i, headers: http_response.to_hash, text: text.is_a?(String) ? text : nil, target: uri.path)
      response.tap { log("GET", response, begun) }
    ensure
      elsewhere&.close unless elsewhere.equal?(connections)
    end

    # @return [URI::HTTP, nil] an address that no one can read along with
    def resolved(address, from = nil)
      uri = from ? URI.join(from, address.to_s) : URI.parse(address)
      uri if Transport.encrypted?(uri) && !address.to_s.empty?
    rescue URI::Error
      nil
    end

    # Redirects are not followed: they would send the key to another origin.
    def check(verb, response)
      return if response.status == 304
      is_redirect = response.status.between?(300, 399) && response.header("location")
      raise response.fault("A redirect is not followed: is base_url right?") if is_redirect
      raise response.fault unless response.success?
      return if verb == "HEAD" || response.status == 204

      is_known_form = response.body.is_a?(Hash) && response.body["status"] != "error"
      raise response.fault("The response has an unknown form") unless is_known_form
    end

    # Without a key, a retry after a lost response could buy twice.
    def headers_for(verb, text, headers)
      sent = { "accept" => "application/json", "user-agent" => USER_AGENT, "authorization" => @authorization.call }
      sent["content-type"] = "application/json" if text
      sent["idempotency-key"] = SecureRandom.uuid if verb == "POST"
      headers.each { |name, value| sent[name.to_s.downcase] = value.to_s }
      sent
    end

    def log(verb, response, begun)
      settings.logger&.debug("beatmarket") do
        milliseconds = ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun) * 1000).round
        "#{verb} #{response.target} #{response.status} #{milliseconds} ms request_id=#{response.request_id}"
      end
    end

    def escape(value)
      value.is_a?(Integer) ? value.to_s : URI.encode_www_form_component(text_of(value)).gsub("+", "%20")
    end

    def text_of(value)
      case value
      when Array then value.map { |one| text_of(one) }.join(",")
      when Time then value.getutc.iso8601(3)
      else value.to_s
      end
    end
  end
end
