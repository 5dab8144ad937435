# frozen_string_literal: true

require "minitest/autorun"
require "beatmarket"
require_relative "counts"
require_relative "fake_api"

CONTRACT = File.expand_path("../../../contract", __dir__)

# The base class of tests with a fake API and a client of it.
class ClientTest < Minitest::Test
  KEY = "bm_test_0123456789"

  def teardown
    @apis&.each(&:close)
  end

  def api(&answer)
    FakeApi.new(&answer).tap { |api| (@apis ||= []) << api }
  end

  def client(api, **options)
    BeatMarket::Client.new(api_key: KEY, base_url: api.base_url, **options)
  end

  # A client that records the waits between attempts instead of waiting.
  def patient_client(api, **options)
    waits = []
    client = client(api, **options)
    client.instance_variable_get(:@transport).define_singleton_method(:sleep) { |seconds| waits << seconds }
    [client, waits]
  end
end
