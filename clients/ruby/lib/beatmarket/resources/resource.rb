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

      private

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
