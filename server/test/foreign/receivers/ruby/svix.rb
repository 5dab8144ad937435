# Receives webhooks with the library of Svix: gem install svix webrick
require "json"
require "svix"
require "webrick"

webhook = Svix::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))

server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ENV.fetch("PORT").to_i)
server.mount_proc "/" do |request, response|
  webhook.verify(request.body, request)
  response.status = 204
  $stdout.puts JSON.parse(request.body)["type"]
  $stdout.flush
rescue Svix::WebhookVerificationError
  response.status = 401
end
server.start
