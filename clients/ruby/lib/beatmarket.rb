# frozen_string_literal: true

require_relative "beatmarket/version"
require_relative "beatmarket/errors"
require_relative "beatmarket/model"
require_relative "beatmarket/models"
require_relative "beatmarket/order_models"
require_relative "beatmarket/response"
require_relative "beatmarket/list"
require_relative "beatmarket/webhooks"
require_relative "beatmarket/client"

# The Ruby client of the Beat Marketplace API. Start with {Client}; a webhook receiver needs only {Webhooks}.
module BeatMarket
end
