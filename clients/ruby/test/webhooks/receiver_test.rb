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
    @process = spawn({ "WEBHOOK_SECRET" => "whsec_x" }, RbConfig.ruby, "-I#{LIBRARY}", Gem.bin_path("rack", "rackup"), "-s", "webrick", "-o", "127.0.0.1",
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

  def test_accepts_only_requests_with_a_valid_signature
    signature = OpenSSL::HMAC.hexdigest("SHA256", "whsec_x", BODY)
    assert_equal %w[401 401 200], [post({}), post("X-Webhook-Signature" => "0" * 64), post("X-Webhook-Signature" => signature)]
    assert @output.wait_readable(10)
    assert_equal "user.updated evt_1\n", @output.gets
  end
end
