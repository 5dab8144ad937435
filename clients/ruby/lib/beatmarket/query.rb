# frozen_string_literal: true

require_relative "errors"

module BeatMarket
  # Parameters in URLs.
  #
  # @api private
  module Query
    module_function

    # @param target [String] a path, with or without a query
    # @param query [Hash] nil values are omitted
    # @return [String] the target with these parameters
    # @raise [BeatMarketError] if a value of a list has a comma
    def after(target, query)
      return target if query.empty?

      pairs = query.compact.map { |name, value| "#{escape(name)}=#{escape(value)}" }
      pairs.empty? ? target : "#{target}#{target.include?("?") ? "&" : "?"}#{pairs.join("&")}"
    end

    # @param query [String, nil]
    # @return [Array<Symbol>]
    def names_in(query) = URI.decode_www_form(query.to_s).map { |name, _| name.to_sym }

    # @return [String] percent-encoded
    def escape(value)
      value.is_a?(Integer) ? value.to_s : URI.encode_www_form_component(text_of(value)).gsub("+", "%20")
    end

    def text_of(value)
      case value
      when Array then list_of(value.map { |one| text_of(one) })
      when Time then value.getutc.strftime("%FT%T.%LZ")
      else value.to_s
      end
    end

    def list_of(texts)
      divided = texts.find { |text| text.include?(",") }
      raise BeatMarketError, "A value of a list has a comma, which separates values: #{divided.inspect}" if divided

      texts.join(",")
    end
    private_class_method :text_of, :list_of
  end
end
