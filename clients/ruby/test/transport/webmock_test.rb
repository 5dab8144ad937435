# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "rbconfig"

# WebMock can stub the client's requests. It replaces Net::HTTP, so the test runs in a process of its own.
class WebMockTest < Minitest::Test
  SCRIPT = <<~'RUBY'
    require "webmock"
    require "beatmarket"
    WebMock.enable!
    WebMock::API.stub_request(:get, "https://localhost:8443/v1/beats?limit=2")
           .with(headers: { "Authorization" => "Bearer bm_x" })
           .to_return(body: JSON.generate(status: "success", data: { beats: [{ id: 5 }], pagination: { total: 1 } }))
    WebMock::API.stub_request(:get, "https://localhost:8443/v1/genres").to_timeout
    client = BeatMarket::Client.new(api_key: "bm_x", max_retries: 0)
    puts client.beats.list(limit: 2).map(&:id).inspect
    begin
      client.genres.list
    rescue BeatMarket::APITimeoutError => error
      puts error.class
    end
  RUBY

  def test_calls_can_be_stubbed
    library = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)
    output, errors, = Open3.capture3(RbConfig.ruby, "-I#{library}", "-e", SCRIPT)
    assert_equal ["[5]\nBeatMarket::APITimeoutError\n", ""], [output, errors]
  end
end
