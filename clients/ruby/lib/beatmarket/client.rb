# frozen_string_literal: true

require_relative "generated/client"
require_relative "transport"
require_relative "webhooks"

module BeatMarket
  # A client of the Beat Marketplace API. Threads can share a client; it keeps connections open.
  #
  #   client = BeatMarket::Client.new(api_key: "bm_…")
  #   client.beats.list(genre: 3).first(10)
  class Client
    include Calls

    # The address of +npm start+.
    DEFAULT_BASE_URL = "https://localhost:8443/v1"

    # @param api_key [String] from the developer portal; default: BEATMARKET_API_KEY
    # @param base_url [String] including the version; default: BEATMARKET_BASE_URL, or {DEFAULT_BASE_URL}
    # @param timeout [Numeric] seconds per attempt, from connecting to the last byte of the response
    # @param max_retries [Integer] attempts after the first, for temporary failures
    # @param max_retry_after [Numeric] maximum Retry-After to follow, in seconds; with a longer one the call raises
    #   immediately
    # @param ca_file [String, nil] PEM file of the certificate authorities to trust instead of the system's; default:
    #   BEATMARKET_CA_FILE
    # @param proxy [String, URI::HTTP, false, nil] such as http://user:password@proxy.example:3128; false for none. Default:
    #   HTTPS_PROXY, except for the hosts in NO_PROXY
    # @param adapter [#call, nil] sends an attempt in place of net/http, and answers as a Rack application does, with status, headers
    #   and a body with +each+. Its keywords are +method+, +url+, +headers+, +body+ (nil without one) and +timeout+: seconds between
    #   the bytes of a download, and nil where the client itself ends the attempt
    # @param logger [Logger, nil] logs responses (debug) and retries (warn), without keys and bodies
    # @param headers [Hash{String => String}] sent with each request to the API, in addition to the client's own headers
    # @param user_agent_suffix [String, nil] such as my-shop/1.2, sent after the client's own User-Agent
    # @param allow_http [Boolean] allows a base URL in plain http on any host, for mock servers and side-cars: others can
    #   read the key there. Without it, plain http is allowed for this machine only
    # @param on_request [#call, nil] called with a {RequestInfo} when an attempt begins. A call raises the error of its hook
    # @param on_response [#call, nil] called with a {ResponseInfo} when an attempt has ended
    # @raise [BeatMarketError] if the key is missing or an argument is invalid
    def initialize(api_key: nil, base_url: nil, timeout: 30, max_retries: 2, max_retry_after: 60, ca_file: nil, proxy: nil,
                   adapter: nil, logger: nil, headers: {}, user_agent_suffix: nil, allow_http: false, on_request: nil,
                   on_response: nil)
      key = valid_key(api_key || variable("BEATMARKET_API_KEY"))
      base = valid_base(base_url || variable("BEATMARKET_BASE_URL") || DEFAULT_BASE_URL, allow_http)
      settings = valid_settings(timeout:, max_retries:, max_retry_after:, logger:, headers:, user_agent_suffix:, on_request:, on_response:)
      connections = Connections.new(base, ca_file || variable("BEATMARKET_CA_FILE"), proxy: valid_proxy(proxy), adapter: callable(:adapter, adapter))
      use Transport.new(authorization: -> { "Bearer #{key}" }, base:, connections:, settings:)
    end

    # Returns a copy with other settings that shares the connections: +client.with(timeout: 5).genres.list+.
    #
    # @param changes [Hash] +timeout+, +max_retries+, +max_retry_after+, +logger+, +user_agent_suffix+, +on_request+ and
    #   +on_response+ as in {#initialize}. +headers+ are added to the client's, or replace them. The fields of +query+ and
    #   +body+ are added to the query and to the JSON body of each call; a field that the call sends itself is refused
    # @return [Client]
    # @raise [BeatMarketError] if an argument is invalid
    def with(**changes)
      before = @transport.settings.to_h.except(:log_level)
      settings = valid_settings(**before, **changes, added: before.slice(:headers, :query, :body))
      dup.tap { |copy| copy.send(:use, @transport.with(settings)) }
    end

    # Verifies webhooks; see {Webhooks}, which needs no client.
    #
    # @return [Module]
    def webhooks = Webhooks

    # Sends any request with the same key, retries and errors as the other methods. A POST, PATCH or DELETE
    # without an +Idempotency-Key+ gets a random one.
    #
    # @param verb [String, Symbol] GET, POST …
    # @param path [String] relative to the base URL, percent-encoded, such as "/beats/1"
    # @param query [Hash, nil] parameters; nil values are omitted
    # @param body [Object, nil] sent as JSON; a String is sent unchanged
    # @param headers [Hash{String => String}] override the library's headers
    # @return [Response] 2xx with an object as +body+ (nil for HEAD and 204), or 304 if +headers+ has If-None-Match
    # @raise [BeatMarketError] if the path is invalid; nothing is sent
    # @raise [APIStatusError, APIConnectionError]
    def request(verb, path, query: nil, body: nil, headers: {})
      # Dot segments would leave the base URL when resolved.
      is_path = path.is_a?(String) && path.match?(%r{\A/[\x21-\x7e&&[^#\\]]*\z}) && !path.match?(%r{/(\.|%2e){1,2}(/|\?|\z)}i)
      unless is_path
        raise BeatMarketError, "A path begins with /, is percent-encoded and has no dot segments, unlike #{path.inspect}"
      end

      raise BeatMarketError, "A method is a word such as GET, unlike #{verb.inspect}" unless verb.to_s.match?(/\A[A-Za-z]+\z/)

      { query: query, headers: headers }.each do |name, given|
        raise BeatMarketError, "#{name} must be a Hash, not #{given.inspect}" unless given.nil? || given.is_a?(Hash)
      end
      @transport.call(verb.to_s.upcase, @transport.target(path, query), body: body, headers: headers || {})
    end

    # Closes idle connections. Later calls open new ones.
    #
    # @return [void]
    def close = @transport.connections.close

    # @return [String] without the key
    def inspect = "#<#{self.class} #{@transport.base}>"

    private

    # An empty variable, as compose files and CI set it, counts as absent.
    def variable(name) = ENV.fetch(name, "").then { |value| value unless value.empty? }

    # Removes white space at both ends, which a key or address that was read from a file may have.
    def trimmed(text) = text.to_s.b.gsub(/\A[\t-\r ]+|[\t-\r ]+\z/n, "").force_encoding(Encoding::UTF_8)

    def valid_key(key)
      key = trimmed(key)
      raise BeatMarketError, "No API key: pass api_key or set BEATMARKET_API_KEY" if key.empty?
      raise BeatMarketError, "The API key has a space, a line break or another character that no key has" unless key.b.match?(/\A[\x21-\x7e]+\z/n)

      key
    end

    # The key must be encrypted in transit, except on the local machine or with +allow_http+.
    def valid_base(text, allow_http)
      raise BeatMarketError, "allow_http must be true or false, not #{allow_http.inspect}" unless [true, false].include?(allow_http)

      base = URI.parse(trimmed(text).chomp("/"))
      return base if (allow_http ? Transport.address?(base) : Transport.encrypted?(base)) && !base.query

      raise BeatMarketError, "base_url must be like #{DEFAULT_BASE_URL}, with https:// (http:// for this machine only; elsewhere, " \
                             "as for a mock server or a side-car, with allow_http: true)"
    rescue URI::InvalidURIError
      raise BeatMarketError, "base_url is not an address"
    end

    # The error does not quote the address, which may contain a password.
    def valid_proxy(given)
      return given unless given

      proxy = URI.parse(given.to_s)
      proxy.instance_of?(URI::HTTP) && proxy.hostname ? proxy : raise(URI::InvalidURIError)
    rescue URI::InvalidURIError
      raise BeatMarketError, "proxy must be like http://proxy.example:3128, or false for none"
    end

    def callable(name, given)
      return given if given.nil? || given.respond_to?(:call)

      raise BeatMarketError, "#{name} must have a method call, unlike #{given.inspect}"
    end

    def valid_settings(timeout:, max_retries:, max_retry_after:, logger:, user_agent_suffix:, on_request:, on_response:,
                       headers: {}, query: {}, body: {}, added: {})
      raise BeatMarketError, "timeout must be seconds above 0" unless timeout.is_a?(Numeric) && timeout.positive?
      raise BeatMarketError, "max_retries must be 0 or more" unless max_retries.is_a?(Integer) && max_retries >= 0
      raise BeatMarketError, "max_retry_after must be seconds from 0" unless max_retry_after.is_a?(Numeric) && max_retry_after >= 0

      raise BeatMarketError, "logger must be a Logger" unless logger.nil? || (logger.respond_to?(:debug) && logger.respond_to?(:warn))

      { on_request:, on_response: }.each { |name, hook| callable(name, hook) }
      headers = { **added.fetch(:headers, {}), **Extras.headers(headers) }.freeze
      query = { **added.fetch(:query, {}), **Extras.fields("query", query) }.freeze
      body = { **added.fetch(:body, {}), **Extras.fields("body", body) }.freeze
      Transport::Settings.new(timeout:, max_retries:, max_retry_after:, logger:, headers:, query:, body:, on_request:, on_response:,
                              user_agent_suffix: Extras.suffix(user_agent_suffix), log_level: Attempt.level)
    end
  end
end
