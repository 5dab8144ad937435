# frozen_string_literal: true

require_relative "../test_helper"
require "openssl"
require "rack/mock"
require "sinatra/base"

# Real frameworks hand the bytes and the headers of a delivery to unwrap as they came.
class FrameworksTest < Minitest::Test
  SECRET = "whsec_#{["a secret of the tests"].pack("m0")}".freeze
  BODY = '{"id":"evt_1","created":1,"type":"user.updated","data":{"id":1,"display_name":"é 😀"}}'

  # The receiver of the README, in Sinatra.
  class SinatraReceiver < Sinatra::Base
    set :environment, :test
    set :host_authorization, permitted_hosts: [] if settings.respond_to?(:host_authorization)
    disable :show_exceptions
    enable :raise_errors

    post "/webhooks" do
      event = BeatMarket::Webhooks.unwrap(request.body.read, request.env, SECRET)
      "#{event.type} #{event.data.display_name}"
    rescue BeatMarket::SignatureVerificationError => error
      halt 401, error.message
    end
  end

  # The same on Rack only, after code that has parsed the body already.
  RACK_RECEIVER = lambda do |env|
    request = Rack::Request.new(env)
    request.params
    request.body.rewind
    event = BeatMarket::Webhooks.unwrap(request.body.read, env, SECRET)
    [200, {}, ["#{event.type} #{event.data.display_name}"]]
  rescue BeatMarket::SignatureVerificationError => error
    [401, {}, [error.message]]
  end

  def delivery(body: BODY, at: Time.now.to_i)
    signature = [OpenSSL::HMAC.digest("SHA256", SECRET.delete_prefix("whsec_").unpack1("m0"), "evt_1.#{at}.#{BODY}")].pack("m0")
    { "HTTP_WEBHOOK_ID" => "evt_1", "HTTP_WEBHOOK_TIMESTAMP" => at.to_s, "HTTP_WEBHOOK_SIGNATURE" => "v1,#{signature}",
      "CONTENT_TYPE" => "application/json", :input => body }
  end

  { "sinatra" => SinatraReceiver, "rack" => Rack::Builder.new { use(Rack::Lint) && run(RACK_RECEIVER) }.to_app }.each do |name, app|
    define_method(:"test_a_receiver_in_#{name}_accepts_a_delivery_and_refuses_a_changed_or_old_one") do
      post = ->(**options) { Rack::MockRequest.new(app).post("/webhooks", delivery(**options)).then { |answer| [answer.status, answer.body.force_encoding("UTF-8")] } }
      assert_equal [200, "user.updated é 😀"], post.call
      assert_match(/does not match/, post.call(body: BODY.sub("1", "2")).then { |status, text| text if status == 401 })
      assert_match(/36\d s ago/, post.call(at: Time.now.to_i - 360).then { |status, text| text if status == 401 })
    end
  end
end
