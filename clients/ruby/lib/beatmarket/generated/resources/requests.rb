# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.requests+. The request log of the key's account.
    class Requests < Resource
      # List your requests. Returns the requests of the last 30 days with keys of the account, newest first. A request
      # is in the log a moment after its response. A response searches a bounded part of the log, so it can have fewer
      # requests than +limit+ and still a +next+: pass it as +after+ of the next request. Needs the permission
      # +requests:read+.
      #
      # @param from [Time, String, nil] Only requests from this time on, ISO 8601. A date alone is its first moment in
      #   UTC.
      # @param to [Time, String, nil] Only requests before this time, ISO 8601. A date alone is its first moment in UTC.
      # @param status_class [String, Symbol, nil] Only requests whose status has this first digit. One of +2xx+, +3xx+,
      #   +4xx+, +5xx+.
      # @param status [Integer, nil] Only requests with this status. 100 to 599.
      # @param method [String, nil] Only requests with this method, such as +GET+.
      # @param operation_id [String, nil] Only requests of this operation; +none+ for paths outside of the API.
      # @param key [Integer, nil] Only requests made with this key.
      # @param request_id [String, nil] Only the request with this id, the <tt>X-Request-Id</tt> of its response.
      # @param text [String, nil] Only requests that contain this text in the path, the query, the error details, the
      #   request id or the user agent.
      # @param after [String, nil] The +next+ of the previous response. Returns the requests that follow it in the list,
      #   which are older.
      # @param limit [Integer, nil] The maximum number of requests in a response. 1 to 100. Default: 50.
      # @return [RequestPage]
      # @raise [APIStatusError, APIConnectionError]
      def list(
        from: nil, to: nil, status_class: nil, status: nil, method: nil, operation_id: nil, key: nil, request_id: nil,
        text: nil, after: nil, limit: nil
      )
        data(perform("listRequests", query: { from:, to:, status_class:, status:, method:, operation_id:, key:, request_id:, text:, after:, limit: }), RequestPage)
      end

      # Get one of your requests. Returns a request of the last 30 days by the <tt>X-Request-Id</tt> of its response:
      # what was sent, without secrets, why it was refused, and the events that it caused. Needs the permission
      # +requests:read+.
      #
      # @param request_id [String] The <tt>X-Request-Id</tt> of the response.
      # @return [LoggedRequestDetail]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(request_id)
        object(perform("getRequest", "/requests/#{@transport.segment(request_id)}"), LoggedRequestDetail, "request")
      end
    end
  end
end
