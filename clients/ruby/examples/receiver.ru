# frozen_string_literal: true

# A webhook receiver for any Rack server: WEBHOOK_SECRET=whsec_… rackup -p 3000 receiver.ru
require "beatmarket"
$stdout.sync = true

run(lambda do |env|
  event = BeatMarket::Webhooks.unwrap(env["rack.input"].read, env, ENV.fetch("WEBHOOK_SECRET"))
  puts "#{event.type} #{event.id}" # enqueue it, and respond at once
  [200, {}, []]
rescue BeatMarket::SignatureVerificationError
  [401, {}, []]
end)
