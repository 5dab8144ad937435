# frozen_string_literal: true

require_relative "../test_helper"
require "io/wait"
require "net/http"
require "openssl"
require "open3"
require "rbconfig"

# Runs examples/receiver.ru with rackup and WEBrick.
class ReceiverTest < Minitest::Test
  EXAMPLE = File.expand_path("../../examples/receiver.ru", __dir__)
  LIBRARY = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)
  BODY = '{"id":"evt_1","created":1,"type":"user.updated","data":{"id":1}}'

  def setup
    @port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    @output, written = IO.pipe
    @process = spawn({ "WEBHOOK_SECRET" => "whsec_#{["secret"].pack("m0")}" }, RbConfig.ruby, "-I#{LIBRARY}", Gem.bin_path("rack", "rackup"), "-s", "webrick", "-o", "127.0.0.1",
                     "-p", @port.to_s, EXAMPLE, out: written, err: File::NULL)
    written.close
    200.times { listening? ? break : sleep(0.05) }
  end

  def teardown
    Process.kill(:TERM, @process)
    Process.wait(@process)
  end

  def listening?
    TCPSocket.open("127.0.0.1", @port).close || true
  rescue SystemCallError
    false
  end

  def post(headers)
    Net::HTTP.post(URI("http://127.0.0.1:#{@port}/"), BODY, { "Content-Type" => "application/json", **headers }).code
  end

  def signed(key, at: Time.now.to_i)
    signature = [OpenSSL::HMAC.digest("SHA256", key, "evt_1.#{at}.#{BODY}")].pack("m0")
    { "webhook-id" => "evt_1", "webhook-timestamp" => at.to_s, "webhook-signature" => "v1,#{signature}" }
  end

  def test_accepts_only_requests_with_a_valid_signature_and_prints_each_event_once
    assert_equal %w[401 401 200], [post({}), post(signed("other")), post(signed("secret"))]
    assert @output.wait_readable(10)
    assert_equal "user.updated evt_1\n", @output.gets
    assert_equal "200", post(signed("secret")) # A second delivery of the event is accepted, and ignored.
    refute @output.wait_readable(0)
  end
end
