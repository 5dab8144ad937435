# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.exports+. All beats in one file.
    class Exports < Resource
    end
  end
end
