# frozen_string_literal: true

# A webhook receiver for any Rack server: WEBHOOK_SECRET=whsec_… rackup -p 3000 receiver.ru
require "beatmarket"
$stdout.sync = true
seen = {} # In production, a unique column of your database: a delivery can arrive more than once.

run(lambda do |env|
  event = BeatMarket::Webhooks.unwrap(env["rack.input"].read, env, ENV.fetch("WEBHOOK_SECRET"))
  seen[event.id] ||= Time.now.tap { puts "#{event.type} #{event.id}" } # enqueue it, and respond at once
  [200, {}, []]
rescue BeatMarket::SignatureVerificationError
  [401, {}, []]
end)
