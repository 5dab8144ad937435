# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

module BeatMarket
  class APIStatusError
    # The error classes by error code.
    BY_CODE = {
      "invalid_request" => InvalidRequestError,
      "unauthorized" => AuthenticationError,
      "forbidden" => PermissionDeniedError,
      "not_found" => NotFoundError,
      "rate_limit_exceeded" => RateLimitError,
      "server_error" => ServerError
    }.freeze
  end
end
