# frozen_string_literal: true

module BeatMarket
  # The version of this library, also sent in the User-Agent.
  VERSION = "0.1.0"
end
