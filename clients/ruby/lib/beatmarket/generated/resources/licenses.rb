# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.licenses+. What a license allows.
    class Licenses < Resource
      # Ask whether a license allows a use. Answers +yes+, +no+ or +unknown+ from the terms that the license was sold
      # under, with the clause that decides and what to buy for a yes. The id of a certificate is all that it takes.
      # Needs no API key.
      #
      # @param license_id [String] Identifier of the license: a UUID, which its certificate has.
      # @param use [String] What is asked for, such as +streams+ or +content_id+; the list of uses says what each is.
      # @param quantity [Integer, nil] How many in total: streams, copies, videos. Default: 1.
      # @param territory [String, nil] The country of the use, by ISO 3166-1, such as +DE+.
      # @param on [String, nil] The day of the use, in UTC. Default: today.
      # @return [LicenseVerdict]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def may(license_id, use:, quantity: nil, territory: nil, on: nil)
        fields = { use:, quantity:, territory:, on: }
        object("askLicense", LicenseVerdict, "verdict", { license_id: }, body: fields.compact)
      end
    end
  end
end
