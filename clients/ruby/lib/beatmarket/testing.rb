# frozen_string_literal: true

require "json"

module BeatMarket
  # Recorded examples of the API, for tests of your own that need no service.
  module Testing
    # The body of a successful response.
    #
    # @param operation [String, Symbol] such as +getBeat+
    # @return [Hash{String => Object}] a copy, which a test can change
    # @raise [KeyError] without an example of the operation
    def self.response(operation) = JSON.parse(texts("responses").fetch(operation.to_s))

    # The body of a delivery, for {Webhooks.sign}.
    #
    # @param type [String] such as +beat.purchased+
    # @return [String]
    # @raise [KeyError] for a type that this version does not know
    def self.event(type) = texts("events").fetch(type).dup

    # The examples as JSON text: each test parses its own copy, which it may change.
    private_class_method def self.texts(group)
      @texts ||= JSON.parse(File.read("#{__dir__}/generated/fixtures.json", encoding: "UTF-8"))
                     .slice("responses", "events")
                     .transform_values { |every| every.transform_values { |example| JSON.generate(example) } }
      @texts.fetch(group)
    end
  end
end
