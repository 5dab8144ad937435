# frozen_string_literal: true

require "uri"
require_relative "resources/beats"
require_relative "resources/changes"
require_relative "resources/events"
require_relative "resources/exports"
require_relative "resources/genres"
require_relative "resources/orders"
require_relative "resources/producers"
require_relative "resources/sales"
require_relative "resources/search"
require_relative "resources/uploads"
require_relative "resources/users"
require_relative "transport"
require_relative "webhooks"

module BeatMarket
  # A client of the Beat Marketplace API. Threads can share a client; it keeps connections open.
  #
  #   client = BeatMarket::Client.new(api_key: "bm_…")
  #   client.beats.list(genre: 3).first(10)
  class Client
    # The address of +npm start+.
    DEFAULT_BASE_URL = "https://localhost:8443/v1"

    # @return [Resources::Beats]
    attr_reader :beats
    # @return [Resources::Changes]
    attr_reader :changes
    # @return [Resources::Events]
    attr_reader :events
    # @return [Resources::Exports]
    attr_reader :exports
    # @return [Resources::Genres]
    attr_reader :genres
    # @return [Resources::Orders]
    attr_reader :orders
    # @return [Resources::Producers]
    attr_reader :producers
    # @return [Resources::Sales]
    attr_reader :sales
    # @return [Resources::Uploads]
    attr_reader :uploads
    # @return [Resources::Users]
    attr_reader :users

    # @param api_key [String] from the developer portal; default: BEATMARKET_API_KEY
    # @param base_url [String] including the version; default: BEATMARKET_BASE_URL, or {DEFAULT_BASE_URL}
    # @param timeout [Numeric] seconds per attempt, from connecting to the last byte of the response
    # @param max_retries [Integer] attempts after the first, for temporary failures
    # @param max_retry_after [Numeric] maximum Retry-After to follow, in seconds; with a longer one the call raises
    #   immediately
    # @param ca_file [String, nil] PEM file of the certificate authorities to trust instead of the system's; default:
    #   BEATMARKET_CA_FILE
    # @param logger [Logger, nil] logs responses (debug) and retries (warn), without keys and bodies
    # @raise [BeatMarketError] if the key is missing or an argument is invalid
    def initialize(api_key: nil, base_url: nil, timeout: 30, max_retries: 2, max_retry_after: 60, ca_file: nil, logger: nil)
      key = valid_key(api_key || variable("BEATMARKET_API_KEY"))
      base = valid_base(base_url || variable("BEATMARKET_BASE_URL") || DEFAULT_BASE_URL)
      settings = valid_settings(timeout:, max_retries:, max_retry_after:, logger:)
      connections = Connections.new(base, ca_file || variable("BEATMARKET_CA_FILE"))
      use Transport.new(authorization: -> { "Bearer #{key}" }, base:, connections:, settings:)
    end

    # Returns a copy with other settings that shares the connections: +client.with(timeout: 5).genres.list+.
    #
    # @param changes [Hash] +timeout+, +max_retries+, +max_retry_after+, +logger+ as in {#initialize}
    # @return [Client]
    # @raise [BeatMarketError] if an argument is invalid
    def with(**changes)
      settings = valid_settings(**@transport.settings.to_h, **changes)
      dup.tap { |copy| copy.send(:use, @transport.with(settings)) }
    end

    # Searches beats and producers. Needs the permission +search:read+.
    #
    # @param q [String] words of titles, producers, genres and tags, tempos and keys; the last word may be a prefix
    # @param type [String, Symbol, nil] beats, producers or all (default)
    # @param page [Integer, nil] the first page, from 1
    # @param limit [Integer, nil] results of each type per page, 1 to 50; 20 by default
    # @param genre [Integer, Array<Integer>, nil] only beats of these genre ids
    # @param producer [Integer, Array<Integer>, nil] only beats of these producer ids
    # @param bpm_min [Integer, nil] only beats of this tempo or faster
    # @param bpm_max [Integer, nil] only beats of this tempo or slower
    # @param bpm [Integer, nil] only beats of this tempo, instead of +bpm_min+ and +bpm_max+
    # @param bpm_tolerance [Numeric, nil] percent by which a beat may differ from +bpm+
    # @param half_double [Boolean, nil] whether beats of half and of double the +bpm+ match as well
    # @param key [String, Array<String>, nil] only beats in these keys: A minor, Am or 8A
    # @param key_compatible [String, nil] only beats that mix with this key
    # @param price_min [Numeric, nil] only beats of this price or more
    # @param price_max [Numeric, nil] only beats of this price or less
    # @param duration_min [Integer, nil] only beats of this many seconds or more
    # @param duration_max [Integer, nil] only beats of this many seconds or less
    # @param created_after [Time, String, nil] only beats of this time or later
    # @param created_before [Time, String, nil] only beats of this time or earlier
    # @param tag [String, Array<String>, nil] only beats with one of these tags
    # @param license [String, Symbol, Array<String, Symbol>, nil] only beats of which one of these licenses is available
    # @param sort [String, Symbol, nil] order of the beats: relevance (default), or one of {Resources::Beats#list}
    # @param facets [String, Symbol, Array<String, Symbol>, nil] what to count all found beats by: genre, key, bpm, price, tag
    # @param fields [String, Symbol, Array<String, Symbol>, nil] the fields that results are reduced to; the others are nil
    # @param interpret [Boolean, nil] whether tempos and keys in +q+ become filters; true by default
    # @param max_items [Integer, nil] maximum number of records in an iteration
    # @return [SearchResults] beats and producers
    # @raise [APIStatusError, APIConnectionError] during the iteration
    def search(
      q, type: nil, page: nil, limit: nil, genre: nil, producer: nil, bpm_min: nil, bpm_max: nil, bpm: nil,
      bpm_tolerance: nil, half_double: nil, key: nil, key_compatible: nil, price_min: nil, price_max: nil,
      duration_min: nil, duration_max: nil, created_after: nil, created_before: nil, tag: nil, license: nil,
      sort: nil, facets: nil, fields: nil, interpret: nil, max_items: nil
    )
      query = {
        q:, type:, page:, limit:, genre:, producer:, bpm_min:, bpm_max:, bpm:, bpm_tolerance:, half_double:, key:,
        key_compatible:, price_min:, price_max:, duration_min:, duration_max:, created_after:, created_before:, tag:,
        license:, sort:, facets:, fields:, interpret:
      }
      @search.run(query, max_items)
    end

    # Verifies webhooks; see {Webhooks}, which needs no client.
    #
    # @return [Module]
    def webhooks = Webhooks

    # Sends any request with the same key, retries and errors as the other methods. A POST without an +Idempotency-Key+
    # gets a random one.
    #
    # @param verb [String, Symbol] GET, POST …
    # @param path [String] relative to the base URL, percent-encoded, such as "/beats/1"
    # @param query [Hash, nil] parameters; nil values are omitted
    # @param body [Object, nil] sent as JSON; a String is sent unchanged
    # @param headers [Hash{String => String}] override the library's headers
    # @return [Response] 2xx with an object as +body+, or 304 if +headers+ has If-None-Match
    # @raise [BeatMarketError] if the path is invalid; nothing is sent
    # @raise [APIStatusError, APIConnectionError]
    def request(verb, path, query: nil, body: nil, headers: {})
      # Dot segments would leave the base URL when resolved.
      is_path = path.match?(%r{\A/[\x21-\x7e&&[^#\\]]*\z}) && !path.match?(%r{/(\.|%2e){1,2}(/|\?|\z)}i)
      unless is_path
        raise BeatMarketError, "A path begins with /, is percent-encoded and has no dot segments, unlike #{path.inspect}"
      end

      @transport.call(verb.to_s.upcase, @transport.target(path, query), body: body, headers: headers)
    end

    # Closes idle connections. Later calls open new ones.
    #
    # @return [void]
    def close = @transport.connections.close

    # @return [String] without the key
    def inspect = "#<#{self.class} #{@transport.base}>"

    private

    def use(transport)
      @transport = transport
      @beats = Resources::Beats.new(transport)
      @changes = Resources::Changes.new(transport)
      @events = Resources::Events.new(transport)
      @exports = Resources::Exports.new(transport)
      @genres = Resources::Genres.new(transport)
      @orders = Resources::Orders.new(transport)
      @producers = Resources::Producers.new(transport)
      @sales = Resources::Sales.new(transport)
      @search = Resources::Search.new(transport)
      @uploads = Resources::Uploads.new(transport)
      @users = Resources::Users.new(transport)
    end

    # An empty variable, as compose files and CI set it, counts as absent.
    def variable(name) = ENV.fetch(name, "").then { |value| value unless value.empty? }

    def valid_key(key)
      key = key.to_s.strip
      raise BeatMarketError, "No API key: pass api_key or set BEATMARKET_API_KEY" if key.empty?
      raise BeatMarketError, "The API key has characters that no key has" unless key.match?(/\A[\x21-\x7e]+\z/)

      key
    end

    # The key must be encrypted in transit, except on the local machine.
    def valid_base(text)
      base = URI.parse(text.to_s.chomp("/"))
      return base if Transport.encrypted?(base) && !base.query

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
