# frozen_string_literal: true

module BeatMarket
  # The version of this library, as the User-Agent carries it.
  VERSION = "0.1.0"
end
