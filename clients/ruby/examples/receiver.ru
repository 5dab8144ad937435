# frozen_string_literal: true

# A receiver of webhooks for any Rack server: WEBHOOK_SECRET=whsec_… rackup -p 3000 receiver.ru
require "beatmarket"
$stdout.sync = true

run(lambda do |env|
  event = BeatMarket::Webhooks.unwrap(env["rack.input"].read, env, ENV.fetch("WEBHOOK_SECRET"))
  puts "#{event.type} #{event.id}" # hand it to a queue of yours, and answer
  [200, {}, []]
rescue BeatMarket::SignatureVerificationError
  [401, {}, []]
end)
