# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.sales+. What the key's account sold.
    class Sales < Resource
      # List your sales. Returns the completed orders of beats that the key's account sold, newest first, one page at a
      # time. Sales of imported producers that the account has claimed are included. Needs the permission +sales:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param from [Time, String, nil] Only sales completed at this time or later, ISO 8601. A date alone is its first
      #   moment in UTC.
      # @param to [Time, String, nil] Only sales completed before this time, ISO 8601. A date alone is its first moment
      #   in UTC.
      # @param beat [Integer, nil] Only sales of this beat.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<Sale>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def list(page: nil, limit: nil, from: nil, to: nil, beat: nil, max_items: nil)
        query = { page:, limit:, from:, to:, beat: }
        pages("listSales", { "sales" => Sale }, query, max_items)
      end

      # Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a header line.
      # Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an apostrophe. Writes
      # into a file. Starts again after a lost connection. The timeout is the longest wait for the next bytes. Needs the
      # permission +sales:read+.
      #
      # @param month [String] Year and month, such as "2026-11".
      # @param path [String, Pathname] The file. An existing file is replaced.
      # @return [SalesExport]
      # @raise [InvalidRequestError] if the month is invalid
      # @raise [BeatMarketError] if the file cannot be written
      # @raise [APIStatusError, APIConnectionError]
      def export(month, path)
        transfer_export(month, path)
      end
    end
  end
end
