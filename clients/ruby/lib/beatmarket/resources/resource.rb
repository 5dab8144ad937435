# frozen_string_literal: true

require_relative "../list"
require_relative "../models"
require_relative "../operations"

module BeatMarket
  # The resources of the API.
  module Resources
    # The base class of the resources, which maps operations to requests.
    #
    # @api private
    class Resource
      # @param transport [Transport]
      def initialize(transport)
        @transport = transport
      end

      # @return [String]
      def inspect = "#<#{self.class}>"

      # The default of arguments whose nil has a meaning.
      UNCHANGED = Object.new.freeze
      EMPTY = {}.freeze
      private_constant :UNCHANGED, :EMPTY

      private

      # @param fields [Hash{Symbol => Object}]
      # @return [Hash{Symbol => Object}] those that the caller gave
      def given(fields) = fields.reject { |_, value| value.equal?(UNCHANGED) }

      # @param key [String, nil]
      # @return [Hash{String => String}] the header of a call that is carried out once
      # @raise [BeatMarketError] if the key is invalid
      def idempotency(key)
        return {} if key.nil?
        return { "Idempotency-Key" => key } if key.is_a?(String) && key.b.match?(/\A[\x21-\x7e]{1,255}\z/n)

        raise BeatMarketError, "idempotency_key must be a String of 1 to 255 visible ASCII characters, not #{key.inspect}"
      end

      # One record. After a write an error would mislead: what was written is written, so an odd record is an empty one.
      def object(operation, model, key, ids = {}, **call)
        response = perform(operation, ids, **call)
        model.new(response.member(key, Hash, (EMPTY unless OPERATIONS.fetch(operation).verb == "GET")), response)
      end

      # @param operation [String] a key of {OPERATIONS}
      # @param ids [Hash{Symbol => Integer, String}] the path parameters
      def perform(operation, ids = {}, query: nil, body: nil, headers: {}, settings: @transport.settings, download: nil)
        called = OPERATIONS.fetch(operation)
        path = ids.reduce(called.path) { |whole, (name, id)| whole.sub("{#{name}}", @transport.segment(id)) }
        @transport.call(called.verb, @transport.target(path, query), body: body, headers: headers, settings: settings, download: download)
      end

      # @param types [Hash{String => Class}] the members of +data+ with the records
      def pages(operation, types, query, max_items, list_type: List, page_type: Page)
        source = List::Source.new(transport: @transport, path: OPERATIONS.fetch(operation).path, types: types)
        list_type.new(source, query, max_items: max_items, page_type: page_type)
      end
    end
  end
end
