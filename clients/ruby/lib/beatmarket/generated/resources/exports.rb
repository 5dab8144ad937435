# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.exports+. All beats in one file.
    class Exports < Resource
      # Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in <tt>GET
      # /beats/:beat_id</tt>, in the order of ids. The file is at most ten minutes old, or older if nothing has changed
      # since. Together with <tt>GET /changes</tt> from its <tt>X-Change-Position</tt> on, it is an exact copy of the
      # catalogue. Each key may download one export an hour, outside of the plan's limits. Resuming an interrupted
      # download with Range does not count. Writes into a file. Resumes after a lost connection. The timeout is the
      # longest wait for the next bytes. Needs the permission +beats:read+.
      #
      # @param path [String, Pathname, nil] The file. Without it, a loop over the result reads the beats as they arrive.
      # @return [BeatExport] the file
      # @return [BeatStream] without a path
      # @raise [RateLimitError] if the key took an export within the last hour
      # @raise [BeatMarketError] if the file cannot be written
      # @raise [APIStatusError, APIConnectionError]
      def beats(path = nil)
        transfer_beats(path)
      end
    end
  end
end
