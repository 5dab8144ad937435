# frozen_string_literal: true

require_relative "beatmarket/version"
require_relative "beatmarket/webhooks"
require_relative "beatmarket/client"

# The Ruby client of the Beat Marketplace API. Start with {Client}; a webhook receiver needs only {Webhooks}.
module BeatMarket
end
