# frozen_string_literal: true

require "net/http" # as in connections.rb
require_relative "errors"
require_relative "generated/models"

module BeatMarket
  # Verifies webhooks. Needs no API key and no {Client}.
  #
  #   event = BeatMarket::Webhooks.unwrap(request.body.read, request.env, ENV.fetch("WEBHOOK_SECRET"))
  module Webhooks
    # The headers with a signature of the body only: by the secret, and during a rotation by the previous secret.
    SIGNATURE_HEADERS = %w[x-webhook-signature x-webhook-signature-previous].freeze
    # The headers of Standard Webhooks, which protect against replays.
    STANDARD_HEADERS = %w[webhook-id webhook-timestamp webhook-signature].freeze

    module_function

    # Verifies a webhook request and returns its event. Ignore an event whose +id+ you have processed: a delivery can arrive
    # more than once.
    #
    # @param body [String] the raw bytes of the request body, unparsed
    # @param headers [Hash{String => String}] the request headers, in any case, or a Rack environment
    # @param secrets [String, Array<String>] the endpoint's whole secret, +whsec_+ included, or the new and the
    #   old one during a rotation
    # @param tolerance [Numeric, nil] how many seconds the request may be old, or ahead of this machine's clock; nil accepts
    #   requests of any age, by X-Webhook-Signature
    # @return [Event]
    # @raise [SignatureVerificationError] if the signature is invalid or the time is outside the tolerance:
    #   respond with 401
    # @raise [BeatMarketError] if a secret or the tolerance is invalid, or the signed body is not an event
    def unwrap(body, headers, secrets, tolerance: 300)
      # Accepts the spellings of HTTP, Rack (HTTP_WEBHOOK_ID) and symbols.
      found = headers.to_h.transform_keys { |name| name.to_s.downcase.delete_prefix("http_").tr("_", "-") }
                     .transform_values { |value| [*value].first }
      if tolerance.nil?
        verify_either(body, found.values_at(*SIGNATURE_HEADERS).compact, secrets)
        return event(body)
      end
      verify_recent(body, found, secrets, tolerance)
      event(body).tap { |event| refuse("webhook-id is not the id of the event: pass headers and body of one request") if event.id != found["webhook-id"] }
    end

    # Verifies a signature of the body only.
    #
    # @param body [String] the raw bytes of the request body, unparsed
    # @param signature [String, nil] the header X-Webhook-Signature
    # @param secrets [String, Array<String>] as for {unwrap}
    # @return [true]
    # @raise [SignatureVerificationError] if the signature is invalid
    # @raise [BeatMarketError] if a secret is missing or empty: anyone can sign with an empty secret
    def verify(body, signature, secrets)
      secrets = valid_secrets(secrets)
      refuse_parsed(body)
      unless signature.is_a?(String) && signature.b.match?(/\A[0-9a-f]{64}\z/n)
        refuse("X-Webhook-Signature is #{signature ? "not 64 lower-case hex digits" : "missing"}")
      end

      match(secrets.map { |secret| OpenSSL::HMAC.hexdigest("SHA256", secret, body) }, [signature])
    end

    # The headers that a delivery of this event has, for tests of a receiver.
    #
    # @param body [String] the event as JSON, with its +id+
    # @param secret [String] the endpoint's whole secret, +whsec_+ included
    # @param at [Time] the time of the delivery
    # @return [Hash{String => String}]
    # @raise [BeatMarketError] if the body is not an event, or the secret is invalid
    def sign(body, secret, at: Time.now)
      id = JSON.parse(body).then { |fields| fields["id"] if fields.is_a?(Hash) } rescue nil
      unless id.is_a?(String) && !id.empty?
        raise BeatMarketError, 'The body takes an event as JSON, such as {"id": "evt_1", "type": "beat.created", "data": {}}'
      end

      key = key_of(valid_secrets(secret).first)
      timestamp = at.to_i.to_s
      signature = [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body.b)].pack("m0")
      { "content-type" => "application/json", "webhook-id" => id, "webhook-timestamp" => timestamp,
        "webhook-signature" => "v1,#{signature}", "x-webhook-signature" => OpenSSL::HMAC.hexdigest("SHA256", secret, body) }
    end

    # During a rotation, one valid header suffices.
    def verify_either(body, signatures, secrets)
      verify(body, signatures.first, secrets)
    rescue SignatureVerificationError
      signatures.size < 2 ? raise : verify(body, signatures[1], secrets)
    end

    def verify_recent(body, headers, secrets, tolerance)
      unless tolerance.is_a?(Numeric) && tolerance.real? && tolerance.positive?
        raise BeatMarketError, "tolerance must be seconds above 0, or nil for none, not #{tolerance.inspect}"
      end

      keys = valid_secrets(secrets).map { |secret| key_of(secret) }
      refuse_parsed(body)
      id, timestamp, signature = STANDARD_HEADERS.map do |name|
        headers[name].to_s.b.tap { |value| refuse("#{name} is missing: pass all headers, or tolerance: nil for requests of any age") if value.empty? }
      end
      refuse("webhook-timestamp is not Unix seconds: pass the header as it came") unless timestamp.match?(/\A\d{1,15}\z/n)

      given = signature.split.filter_map { |entry| entry[/\Av1,(.+)\z/n, 1] }
      match(keys.map { |key| [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body.b}")].pack("m0") }, given)

      age = Time.now.to_i - timestamp.to_i
      return if age.abs <= tolerance

      refuse("webhook-timestamp is #{age.abs} s #{age.positive? ? "ago" : "ahead"}, more than the tolerance of #{tolerance} s: " \
             "it is a replay, or the clock of this machine is wrong")
    end

    def valid_secrets(secrets)
      secrets = Array(secrets)
      return secrets if secrets.any? && secrets.all? { |secret| secret.is_a?(String) && !secret.empty? }

      raise BeatMarketError, "A webhook secret is missing or empty; is its variable set?"
    end

    def key_of(secret)
      secret.delete_prefix("whsec_").unpack1("m0").tap { |key| raise ArgumentError if key.empty? }
    rescue ArgumentError
      raise BeatMarketError, "A webhook secret is not whsec_ and base64: copy the endpoint's whole secret"
    end

    def refuse_parsed(body)
      return if body.is_a?(String)

      refuse("The body must be the raw bytes of the request, not a #{body.class}: verify it before anything parses it")
    end

    # Compares all pairs, so that the run time does not reveal which one matched.
    def match(expected, given)
      return true if expected.product(given).map { |pair| OpenSSL.secure_compare(*pair) }.any?

      refuse("The signature does not match: it was made with another secret, or the body is not the raw bytes of the request " \
             "(verify it before anything parses it)")
    end

    def refuse(why) = raise(SignatureVerificationError, why)

    def event(body)
      fields = JSON.parse(String.new(body, encoding: Encoding::UTF_8), freeze: true)
      return Event.new(fields) if fields.is_a?(Hash) && fields["type"].is_a?(String) && fields.key?("data")

      raise BeatMarketError, "The signature is valid, but the body is not an event"
    rescue JSON::ParserError, EncodingError
      raise BeatMarketError, "The signature is valid, but the body is not an event"
    end
    private_class_method :verify_either, :verify_recent, :valid_secrets, :key_of, :refuse_parsed, :match, :refuse, :event
  end
end
