# Receives webhooks with the library of Standard Webhooks: gem install standardwebhooks webrick
require "json"
require "standardwebhooks"
require "webrick"

webhook = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))

server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ENV.fetch("PORT").to_i)
server.mount_proc "/" do |request, response|
  webhook.verify(request.body, request)
  response.status = 204
  $stdout.puts JSON.parse(request.body)["type"]
  $stdout.flush
rescue StandardWebhooks::WebhookVerificationError
  response.status = 401
end
server.start
