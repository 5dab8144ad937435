# frozen_string_literal: true

require_relative "list"
require_relative "generated/operations"

module BeatMarket
  # Sends the requests of operations, and turns their responses into records.
  #
  # @api private
  module Calls
    # The default of arguments whose nil has a meaning.
    UNCHANGED = Object.new.freeze
    # The time that the service itself waits before it responds, for files that it is still creating.
    WAITING_SECONDS = { "listOrderFiles" => 10 }.freeze
    EMPTY = {}.freeze
    private_constant :UNCHANGED, :WAITING_SECONDS, :EMPTY

    private

    # @param odd [Hash, nil] the fields of the record if the response has no such object; nil to raise an error
    def object(response, model, key, odd = nil) = model.new(response.member(key, Hash) { odd }, response)

    def data(response, model) = model.new(response.data, response)

    def array(response, model, key) = Collection.new(model.list(response.member(key, Array)), response)

    def pages(operation, types, query, max_items, list_type = List, page_type = Page)
      path = OPERATIONS.fetch(operation).path
      list_type.new(List::Source.new(transport: @transport, operation: operation, path: path, query: query, types: types, page_type: page_type), max_items)
    end

    def positions(operation, page_type, key, model, query, settings = @transport.settings)
      response = perform(operation, query: query, settings: settings)
      page_type.new(model.list(response.member(key, Array)), response)
    end

    # Waits as long as the service asks. After the first page, retries without limit.
    def following(operation, page_type, key, model, query)
      settings = @transport.settings.with(max_retry_after: Float::INFINITY)
      loop do
        page = positions(operation, page_type, key, model, query, settings)
        yield page
        query = { **query, after: page.position }
        settings = settings.with(max_retries: Float::INFINITY)
      end
    end

    # @param path [String] with the identifiers, percent-encoded
    def perform(operation, path = nil, query: nil, body: nil, idempotency_key: nil, if_match: nil, settings: @transport.settings, stream: nil)
      called = OPERATIONS.fetch(operation)
      headers = EMPTY
      headers = { **headers, "idempotency-key" => valid_key(idempotency_key) } unless idempotency_key.nil?
      headers = { **headers, "if-match" => valid_etag(if_match) } unless if_match.nil?
      waiting = query&.[](:wait) || WAITING_SECONDS[operation]
      settings = settings.with(timeout: settings.timeout + waiting) if waiting.is_a?(Numeric)
      @transport.call(called.verb, @transport.target(path || called.path, query), body:, headers:, settings:, stream:, operation:)
    end

    # The fields that the caller passed.
    def given(fields) = fields.reject { |_, value| value.equal?(UNCHANGED) }

    def valid_key(key)
      return key if key.nil? || (key.is_a?(String) && key.b.match?(/\A[\x21-\x7e]{1,255}\z/n))

      raise BeatMarketError, "idempotency_key must be a String of 1 to 255 visible ASCII characters, not #{key.inspect}"
    end

    # The service would treat an empty value as absent, and make the change unconditionally.
    def valid_etag(etag)
      return etag if etag.nil? || (etag.is_a?(String) && etag.b.match?(/\A[\x21-\x7e]+\z/n))

      raise BeatMarketError, "if_match must be the etag of a response, not #{etag.inspect}"
    end
  end

  # The base class of the resources.
  #
  # @api private
  class Resource
    include Calls

    # @param transport [Transport]
    def initialize(transport)
      @transport = transport
    end

    # @return [String]
    def inspect = "#<#{self.class}>"
  end
end
