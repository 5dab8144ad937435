# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.sandboxes+. Services of your own whose time you set.
    class Sandboxes < Resource
      # Create a sandbox. Creates a sandbox: a copy of the service with its own data, whose clock stands still until you
      # advance it. A repeated request with the same <tt>Idempotency-Key</tt> creates one sandbox. Needs a test key.
      #
      # @param seed [String, nil] The seed of the sandbox. The same seed generates the same ids, beats and buyers.
      #   Default: a random seed.
      # @param webhook_url [String, nil] The address that gets all events of the sandbox.
      # @param catalogue [String, Symbol, nil] +demo+: 500 invented beats. +empty+: no beats, only the genres. Default:
      #   demo.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [CreatedSandbox]
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def create(seed: nil, webhook_url: nil, catalogue: nil, idempotency_key: nil)
        fields = { seed:, webhook_url:, catalogue: }
        object(perform("createSandbox", body: fields.compact, idempotency_key:), CreatedSandbox, "sandbox", EMPTY)
      end

      # List your sandboxes. Returns the sandboxes of the account, the oldest first. Needs a test key.
      #
      # @return [Collection<Sandbox>]
      # @raise [APIStatusError, APIConnectionError]
      def list
        array(perform("listSandboxes"), Sandbox, "sandboxes")
      end

      # Get a sandbox. Returns a sandbox with its present time. Needs a test key.
      #
      # @param sandbox_id [String] Identifier of the sandbox.
      # @return [Sandbox]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(sandbox_id)
        object(perform("getSandbox", "/test/sandboxes/#{@transport.segment(sandbox_id)}"), Sandbox, "sandbox")
      end

      # Delete a sandbox. Deletes the sandbox with its database, files and keys at once, and returns it as it was. Needs
      # a test key.
      #
      # @param sandbox_id [String] Identifier of the sandbox.
      # @return [Sandbox]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def delete(sandbox_id)
        object(perform("deleteSandbox", "/test/sandboxes/#{@transport.segment(sandbox_id)}"), Sandbox, "sandbox", EMPTY)
      end

      # Advance the clock of a sandbox. Advances the clock, and executes all that happens until then in the order of
      # time. A request works for up to 10 seconds; pass +remaining+ as +by+ of the next one. Needs a test key.
      #
      # @param sandbox_id [String] Identifier of the sandbox.
      # @param by [String] The duration to advance by, at most 3,650 days, such as +P90D+.
      # @param orders_per_day [Integer, nil] How many orders the simulated buyers place in each day, at random times.
      #   Default: 0.
      # @param faults [Array<Hash{Symbol, String => Object}>, nil] The faults that happen in that time.
      # @return [SandboxAdvance]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def advance(sandbox_id, by:, orders_per_day: nil, faults: nil)
        fields = { by:, orders_per_day:, faults: }
        object(perform("advanceSandbox", "/test/sandboxes/#{@transport.segment(sandbox_id)}/advance", body: fields.compact), SandboxAdvance, "advance", EMPTY)
      end

      # Copy a sandbox. Creates another sandbox with the same time and data, and a key of its own. A repeated request
      # with the same <tt>Idempotency-Key</tt> creates one copy. Needs a test key.
      #
      # @param sandbox_id [String] Identifier of the sandbox.
      # @param idempotency_key [String, nil] 1 to 255 visible ASCII characters: calls with the same key within 24 hours
      #   are carried out once. Default: a random key, which all attempts of this call share.
      # @return [CreatedSandbox]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [BeatMarketError] if the idempotency_key is invalid; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def fork(sandbox_id, idempotency_key: nil)
        object(perform("forkSandbox", "/test/sandboxes/#{@transport.segment(sandbox_id)}/fork", idempotency_key:), CreatedSandbox, "sandbox", EMPTY)
      end
    end
  end
end
