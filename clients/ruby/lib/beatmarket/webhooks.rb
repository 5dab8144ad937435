# frozen_string_literal: true

require "json"
require_relative "errors"
require_relative "models"

# OpenSSL takes longer to load than everything else here together.
autoload :OpenSSL, "openssl"

module BeatMarket
  # Verifies webhooks. Needs no API key and no {Client}.
  #
  #   event = BeatMarket::Webhooks.unwrap(request.body.read, request.env, ENV.fetch("WEBHOOK_SECRET"))
  module Webhooks
    # The signature header, and the one with the previous secret's signature during a rotation.
    SIGNATURE_HEADERS = %w[x-webhook-signature x-webhook-signature-previous].freeze

    module_function

    # Verifies a webhook request and returns its event.
    #
    # @param body [String] the raw bytes of the request body, unparsed
    # @param headers [Hash{String => String}] the request headers, in any case, or a Rack environment
    # @param secrets [String, Array<String>] the endpoint's whole secret, +whsec_+ included, or the new and the
    #   old one during a rotation
    # @return [Event]
    # @raise [SignatureVerificationError] if the signature is invalid: respond with 401
    # @raise [BeatMarketError] if a secret is missing or empty, or the signed body is not an event
    def unwrap(body, headers, secrets)
      signatures = signatures_in(headers)
      begin
        verify(body, signatures.first, secrets)
      rescue SignatureVerificationError
        raise if signatures.size < 2

        verify(body, signatures[1], secrets)
      end
      event(body)
    end

    # Verifies a signature.
    #
    # @param body [String] the raw bytes of the request body, unparsed
    # @param signature [String, nil] the header X-Webhook-Signature
    # @param secrets [String, Array<String>] as for {unwrap}
    # @return [true]
    # @raise [SignatureVerificationError] if the signature is invalid
    # @raise [BeatMarketError] if a secret is missing or empty: anyone can sign with an empty secret
    def verify(body, signature, secrets)
      secrets = Array(secrets)
      if secrets.empty? || !secrets.all? { |secret| secret.is_a?(String) && !secret.empty? }
        raise BeatMarketError, "A webhook secret is missing or empty; is its variable set?"
      end
      unless body.is_a?(String)
        raise SignatureVerificationError, "The body must be the raw bytes of the request, not a #{body.class}: " \
                                          "verify it before anything parses it"
      end
      unless signature.is_a?(String) && signature.b.match?(/\A[0-9a-f]{64}\z/n)
        raise SignatureVerificationError, "X-Webhook-Signature is #{signature ? "not 64 lower-case hex digits" : "missing"}"
      end
      return true if matches?(body, signature, secrets)

      raise SignatureVerificationError, "The signature does not match: it is of another secret, or the body is not the " \
                                        "raw bytes of the request (verify it before anything parses it)"
    end

    # Compares all secrets, so that the run time does not reveal which one matched.
    def matches?(body, signature, secrets)
      secrets.map { |secret| OpenSSL.fixed_length_secure_compare(OpenSSL::HMAC.hexdigest("SHA256", secret, body), signature) }
             .any?
    end
    private_class_method :matches?

    # Accepts the spellings of HTTP, Rack (HTTP_X_WEBHOOK_SIGNATURE) and symbols.
    def signatures_in(headers)
      found = headers.to_h.transform_keys { |name| name.to_s.downcase.delete_prefix("http_").tr("_", "-") }
      SIGNATURE_HEADERS.filter_map { |name| [*found[name]].first }
    end
    private_class_method :signatures_in

    def event(body)
      fields = JSON.parse(String.new(body, encoding: Encoding::UTF_8), freeze: true)
      return Event.new(fields) if fields.is_a?(Hash) && fields["type"].is_a?(String) && fields["data"].is_a?(Hash)

      raise BeatMarketError, "The signature is good, but the body is no event"
    rescue JSON::ParserError, EncodingError
      raise BeatMarketError, "The signature is good, but the body is no event"
    end
    private_class_method :event
  end
end
