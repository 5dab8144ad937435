# frozen_string_literal: true

require "json"

module BeatMarket
  # The base class of all records: deeply frozen, with a reader for each API field. Unknown fields are kept, in
  # +record["name"]+ and in +to_h+. A field of another type than documented is unchanged. An enumeration is a String,
  # because the API may add values.
  class Model
    class << self
      # @return [Array<Symbol>] the known fields
      def fields = superclass <= Model ? superclass.fields + own_fields : own_fields

      # @return [Hash{Symbol => Class, Array, Hash}] the fields with records: a class, in an Array for a list, or classes by the
      #   record's +type+
      # @api private
      def nested
        @nested ||= superclass <= Model ? { **superclass.nested, **own_records } : own_records
      end

      # @param value [Object] of a response
      # @return [Model, Object] the record of an object; any other value unchanged
      # @api private
      def from(value) = value.is_a?(Hash) ? new(value) : value

      # @param value [Object] of a response
      # @return [Array, Object] the records of a list, frozen; any other value unchanged
      # @api private
      def list(value) = value.is_a?(Array) ? value.map { |entry| from(entry) }.freeze : value

      private

      # Declares the fields of the record: scalar ones, and those with a record or a list of records.
      def field(*names, **records)
        @own_fields = [*names, *records.keys]
        @own_records = records
        readers = names.map { |name| "def #{name} = @fields['#{name}']" } + records.keys.map { |name| "def #{name} = record(:#{name})" }
        class_eval(readers.join("\n"), __FILE__, __LINE__)
      end

      def own_fields = @own_fields || []
      def own_records = @own_records || {}
    end

    # @return [Response, nil] the response of this record; nil for a record of a list, whose page has the response
    attr_reader :response

    # @param fields [Hash] the fields under their API names, as strings or symbols
    # @param response [Response, nil]
    def initialize(fields, response = nil)
      @fields = fields.frozen? ? fields : JSON.parse(JSON.generate(fields), freeze: true)
      @response = response
      freeze
    end

    # @param name [String, Symbol] the API name of a field, known or unknown
    # @return [Object, nil] its value
    def [](name) = @fields[name.to_s]

    # @param name [String, Symbol] the API name of a field
    # @param names [Array<String, Symbol, Integer>] of fields within it
    # @return [Object, nil] the value, as Hash#dig finds it: +order.dig(:beat, :title)+
    def dig(name, *names)
      value = value_of(name.to_s)
      return value if names.empty? || value.nil?

      names = names.map { |one| one.is_a?(Symbol) ? one.name : one } if value.is_a?(Hash)
      [value].dig(0, *names)
    end

    # @return [Hash{String => Object}] all received fields, unchanged and frozen
    def to_h = @fields

    # @return [String] the record as JSON, unchanged
    def to_json(*state) = JSON.generate(@fields, *state)

    # @return [Hash{String => Object}] for Rails, which would otherwise serialize instance variables
    def as_json(*) = @fields

    # For pattern matching: +in {status: "failed", failure_reason:}+.
    #
    # @return [Hash{Symbol => Object}]
    def deconstruct_keys(names)
      (names || @fields.keys.map(&:to_sym)).filter_map do |name|
        next unless @fields.key?(name.name)

        [name, self.class.nested.key?(name) ? public_send(name) : @fields[name.name]]
      end.to_h
    end

    # @return [Boolean] whether class and fields are equal
    def ==(other) = other.instance_of?(self.class) && other.to_h == to_h
    alias eql? ==

    # @return [Integer]
    def hash = [self.class, @fields].hash

    # @return [String]
    def inspect = "#<#{self.class} #{@fields.keys.map { |name| "#{name}=#{value_of(name).inspect}" }.join(" ")}>"
    alias to_s inspect

    private

    # The value of a field; its record or records, if it has them.
    def value_of(name) = self.class.nested.key?(name.to_sym) ? record(name.to_sym) : @fields[name]

    # The record of a field. It is created on first use, because most records are never read.
    def record(name)
      type = self.class.nested.fetch(name)
      type = type.fetch(@fields["type"], Model) if type.is_a?(Hash)
      type.is_a?(Array) ? type.first.list(@fields[name.name]) : type.from(@fields[name.name])
    end
  end
end
