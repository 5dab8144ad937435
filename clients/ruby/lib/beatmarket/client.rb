# frozen_string_literal: true

require "uri"
require_relative "resources/beats"
require_relative "resources/genres"
require_relative "resources/orders"
require_relative "resources/producers"
require_relative "resources/search"
require_relative "resources/users"
require_relative "transport"
require_relative "webhooks"

module BeatMarket
  # The API, as one account's key sees it. Threads may share a client; it keeps its connections open.
  #
  #   client = BeatMarket::Client.new(api_key: "bm_…")
  #   client.beats.list(genre: 3).first(10)
  class Client
    # Where +npm start+ of the service listens.
    DEFAULT_BASE_URL = "https://localhost:8443/v1"

    # @return [Resources::Beats]
    attr_reader :beats
    # @return [Resources::Genres]
    attr_reader :genres
    # @return [Resources::Orders]
    attr_reader :orders
    # @return [Resources::Producers]
    attr_reader :producers
    # @return [Resources::Users]
    attr_reader :users

    # @param api_key [String] from the developer portal; without it, the variable BEATMARKET_API_KEY
    # @param base_url [String] with the version segment; without it, BEATMARKET_BASE_URL, or {DEFAULT_BASE_URL}
    # @param timeout [Numeric] seconds for one try, from connecting to the last byte of the answer
    # @param max_retries [Integer] further tries after a failure that may pass
    # @param max_retry_after [Numeric] the longest wait, in seconds, that the API may ask for with Retry-After; when it
    #   asks for more, the error is raised at once
    # @param ca_file [String, nil] PEM file of the certificate authorities to trust, instead of the system's; without it,
    #   BEATMARKET_CA_FILE
    # @param logger [Logger, nil] told of every answer (debug) and every further try (warn); never of keys or bodies
    # @raise [BeatMarketError] when there is no key, or an argument is not what it should be
    def initialize(api_key: nil, base_url: nil, timeout: 30, max_retries: 2, max_retry_after: 60, ca_file: nil, logger: nil)
      key = valid_key(api_key || variable("BEATMARKET_API_KEY"))
      base = valid_base(base_url || variable("BEATMARKET_BASE_URL") || DEFAULT_BASE_URL)
      settings = valid_settings(timeout:, max_retries:, max_retry_after:, logger:)
      connections = Connections.new(base, ca_file || variable("BEATMARKET_CA_FILE"))
      use Transport.new(authorization: -> { "Bearer #{key}" }, base:, connections:, settings:)
    end

    # The same client with other settings, for one call or many: +client.with(timeout: 5).genres.list+. Both share their
    # connections.
    #
    # @param changes [Hash] +timeout+, +max_retries+, +max_retry_after+, +logger+ as in {#initialize}
    # @return [Client]
    # @raise [BeatMarketError] when an argument is not what it should be
    def with(**changes)
      settings = valid_settings(**@transport.settings.to_h, **changes)
      dup.tap { |copy| copy.send(:use, @transport.with(settings)) }
    end

    # Searches beats and producers in one ranking. Permission +search:read+.
    #
    # @param q [String] what to look for; every word must match
    # @param type [String, Symbol, nil] beats, producers or all (default)
    # @param page [Integer, nil] the page to begin at, from 1
    # @param limit [Integer, nil] results per page, 1 to 50; 20 when absent
    # @param max_items [Integer, nil] where a walk through the pages stops
    # @return [SearchResults] beats and producers
    # @raise [APIStatusError, APIConnectionError] when it is walked
    def search(q, type: nil, page: nil, limit: nil, max_items: nil)
      @search.run({ q:, type:, page:, limit: }, max_items)
    end

    # Verification of webhooks; needs no client, see {Webhooks}.
    #
    # @return [Module]
    def webhooks = Webhooks

    # Any call, with the authentication, retries and errors of the others. A POST without an +Idempotency-Key+ gets one.
    #
    # @param verb [String, Symbol] GET, POST …
    # @param path [String] relative to the base address, percent-encoded, such as "/beats/1"
    # @param query [Hash, nil] parameters; those that are nil are left out
    # @param body [Object, nil] sent as JSON; a String as it is
    # @param headers [Hash{String => String}] further headers; they win over the library's own
    # @return [Response] 2xx whose +body+ is an object, or 304 when +headers+ has If-None-Match
    # @raise [BeatMarketError] when the path is none; nothing is sent
    # @raise [APIStatusError, APIConnectionError]
    def request(verb, path, query: nil, body: nil, headers: {})
      # Dots would lead out of the base address wherever they are resolved.
      is_path = path.match?(%r{\A/[\x21-\x7e&&[^#\\]]*\z}) && !path.match?(%r{/(\.|%2e){1,2}(/|\?|\z)}i)
      unless is_path
        raise BeatMarketError, "A path begins with /, is percent-encoded and has no dot segments, unlike #{path.inspect}"
      end

      @transport.call(verb.to_s.upcase, @transport.target(path, query), body: body, headers: headers)
    end

    # Closes the connections that are not in use. A client that is used again opens new ones.
    #
    # @return [void]
    def close = @transport.connections.close

    # @return [String] without the key
    def inspect = "#<#{self.class} #{@transport.base}>"

    private

    def use(transport)
      @transport = transport
      @beats = Resources::Beats.new(transport)
      @genres = Resources::Genres.new(transport)
      @orders = Resources::Orders.new(transport)
      @producers = Resources::Producers.new(transport)
      @search = Resources::Search.new(transport)
      @users = Resources::Users.new(transport)
    end

    # Set to nothing, as compose files and CI do with what they do not know, is not set.
    def variable(name) = ENV.fetch(name, "").then { |value| value unless value.empty? }

    def valid_key(key)
      key = key.to_s.strip
      raise BeatMarketError, "No API key: pass api_key or set BEATMARKET_API_KEY" if key.empty?
      raise BeatMarketError, "The API key has characters that no key has" unless key.match?(/\A[\x21-\x7e]+\z/)

      key
    end

    # The key must not travel in the clear, except within the machine.
    def valid_base(text)
      base = URI.parse(text.to_s.chomp("/"))
      is_loopback = ["localhost", "::1"].include?(base.hostname) || base.hostname.to_s.match?(/\A127(\.\d{1,3}){3}\z/)
      return base if base.is_a?(URI::HTTPS) && base.hostname && !base.query && !base.userinfo
      return base if base.is_a?(URI::HTTP) && is_loopback && !base.query && !base.userinfo

      raise BeatMarketError, "base_url must be like #{DEFAULT_BASE_URL}, with https:// (http:// for this machine only)"
    rescue URI::InvalidURIError
      raise BeatMarketError, "base_url is not an address"
    end

    def valid_settings(timeout:, max_retries:, max_retry_after:, logger:)
      raise BeatMarketError, "timeout must be seconds above 0" unless timeout.is_a?(Numeric) && timeout.positive?
      raise BeatMarketError, "max_retries must be 0 or more" unless max_retries.is_a?(Integer) && max_retries >= 0
      raise BeatMarketError, "max_retry_after must be seconds from 0" unless max_retry_after.is_a?(Numeric) && max_retry_after >= 0

      Transport::Settings.new(timeout:, max_retries:, max_retry_after:, logger:)
    end
  end
end
