# frozen_string_literal: true

module BeatMarket
  # The base class of all records: deeply frozen, with a reader for each API field. Unknown fields are kept, in
  # +record["name"]+ and in +to_h+. A field of another type than expected is kept as it came. An enumeration is a String,
  # because the API may add values.
  class Model
    class << self
      # @return [Array<Symbol>] the known fields
      def fields = superclass <= Model ? superclass.fields + own_fields : own_fields

      # @return [Hash{Symbol => Array}] the fields with records: instance variable and class, in an Array for a list, or classes
      #   by the record's +type+
      # @api private
      def nested
        @nested ||= superclass <= Model ? { **superclass.nested, **own_records } : own_records
      end

      # @param value [Object] of a response
      # @return [Model, Object] a record of an object; anything else as it came
      # @api private
      def from(value) = value.is_a?(Hash) ? new(value) : value

      # @param value [Object] of a response
      # @return [Array, Object] records of a list, frozen; anything else as it came
      # @api private
      def list(value) = value.is_a?(Array) ? value.map { |entry| from(entry) }.freeze : value

      private

      # Declares the fields of the record: scalar ones, and those with a record or a list of records.
      def field(*names, **records)
        @own_fields = [*names, *records.keys]
        @own_records = records.to_h { |name, type| [name, [:"@#{name}", type]] }
        class_eval(names.map { |name| "def #{name} = @fields['#{name}']" }.join("\n"), __FILE__, __LINE__)
        attr_reader(*records.keys)
        # Written out, because a loop with instance_variable_set takes twice as long.
        class_eval("def read_records\nsuper\n#{records.map { |name, type| reading(name, type) }.join("\n")}\nend", __FILE__, __LINE__) if records.any?
        private :read_records
      end

      def reading(name, type)
        value = "@fields['#{name}']"
        return "@#{name} = #{type.first}.list(#{value})" if type.is_a?(Array)

        "@#{name} = #{type.is_a?(Hash) ? "record_of(:#{name})" : type}.from(#{value})"
      end

      def own_fields = @own_fields || []
      def own_records = @own_records || {}
    end

    # @return [Response, nil] the response of this record; nil for a record of a list, whose page has it
    attr_reader :response

    # @param fields [Hash] the fields under their API names, as strings or symbols
    # @param response [Response, nil]
    def initialize(fields, response = nil)
      @fields = fields.frozen? ? fields : JSON.parse(JSON.generate(fields), freeze: true)
      @response = response
      read_records
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

    # @return [Hash{String => Object}] all fields as they came, frozen
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

    # Sets the instance variables of fields with records.
    def read_records; end

    # The class of a record that depends on the type of this one.
    def record_of(name) = self.class.nested.fetch(name).last.fetch(@fields["type"], Model)

    # With its records.
    def value_of(name)
      variable, = self.class.nested[name.to_sym]
      variable ? instance_variable_get(variable) : @fields[name]
    end
  end
end
