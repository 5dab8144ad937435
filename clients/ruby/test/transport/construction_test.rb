# frozen_string_literal: true

require_relative "../test_helper"
require "tempfile"

class ConstructionTest < ClientTest
  VARIABLES = %w[BEATMARKET_API_KEY BEATMARKET_BASE_URL BEATMARKET_CA_FILE].freeze

  def setup
    @before = VARIABLES.to_h { |name| [name, ENV.fetch(name, nil)] }
    VARIABLES.each { |name| ENV.delete(name) }
  end

  def teardown
    super
    ENV.update(@before)
  end

  def test_a_missing_or_empty_key_is_refused
    [{}, { api_key: "" }, { api_key: " \n" }].each do |options|
      error = assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(**options) }
      assert_match(/BEATMARKET_API_KEY/, error.message)
    end
  end

  def test_an_invalid_key_is_refused_without_showing_it
    error = assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(api_key: "bm_secret\r\nX-Evil: 1") }
    refute_match(/secret/, error.message)
  end

  def test_key_base_url_and_ca_file_come_from_the_environment
    api = api { FakeApi.reply({ genres: [] }) }
    ENV.update("BEATMARKET_API_KEY" => "bm_env\n", "BEATMARKET_BASE_URL" => "#{api.base_url}/")
    BeatMarket::Client.new.genres.list
    assert_equal "Bearer bm_env", api.requests.first.headers["authorization"]
    assert_equal "/v1/genres", api.requests.first.target

    ENV["BEATMARKET_CA_FILE"] = "/nowhere.pem"
    error = assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new }
    assert_match(/nowhere\.pem/, error.message)
  end

  def test_an_empty_variable_counts_as_absent
    ENV.update("BEATMARKET_BASE_URL" => "", "BEATMARKET_CA_FILE" => "")
    assert_equal "#<BeatMarket::Client https://localhost:8443/v1>", BeatMarket::Client.new(api_key: KEY).inspect
  end

  def test_arguments_override_the_environment
    api = api { FakeApi.reply({ genres: [] }) }
    ENV.update("BEATMARKET_API_KEY" => "bm_env", "BEATMARKET_BASE_URL" => "https://nowhere.invalid/v1")
    client(api).genres.list
    assert_equal "Bearer #{KEY}", api.requests.first.headers["authorization"]
  end

  def test_an_insecure_or_invalid_base_url_is_refused
    %w[http://example.com/v1 ftp://localhost/v1 localhost:8443/v1 https:// https://user:pw@example.com/v1
       https://example.com/v1?x=1 http://127.evil.com/v1 nonsense].push("https://a b/").each do |address|
      assert_raises(BeatMarket::BeatMarketError, address) { BeatMarket::Client.new(api_key: KEY, base_url: address) }
    end
  end

  def test_https_and_http_to_the_local_machine_are_accepted
    %w[http://localhost:1/v1 http://127.0.0.1:1/v1 http://[::1]:1/v1 https://example.com/v1].each do |address|
      assert_equal "#<BeatMarket::Client #{address}>", BeatMarket::Client.new(api_key: KEY, base_url: address).inspect
    end
  end

  def test_the_default_base_url_is_the_local_service
    assert_equal "#<BeatMarket::Client https://localhost:8443/v1>", BeatMarket::Client.new(api_key: KEY).inspect
  end

  def test_a_ca_file_without_certificates_is_refused
    Tempfile.create("empty.pem") do |file|
      error = assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(api_key: KEY, ca_file: file.path) }
      assert_match(/ca_file/, error.message)
    end
  end

  def test_invalid_settings_are_refused
    [{ timeout: 0 }, { timeout: nil }, { timeout: "5" }, { max_retries: -1 }, { max_retries: 1.5 },
     { max_retry_after: -1 }].each do |options|
      assert_raises(BeatMarket::BeatMarketError, options.inspect) { BeatMarket::Client.new(api_key: KEY, **options) }
      assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(api_key: KEY).with(**options) }
    end
    assert_raises(ArgumentError) { BeatMarket::Client.new(api_key: KEY).with(api_key: "other") }
  end

  def test_an_invalid_proxy_or_adapter_is_refused
    ["https://user:secret@proxy.example", "proxy.example:3128", "a b", true].each do |proxy|
      error = assert_raises(BeatMarket::BeatMarketError, proxy) { BeatMarket::Client.new(api_key: KEY, proxy: proxy) }
      refute_match(/secret/, error.message)
    end
    assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(api_key: KEY, adapter: "faraday") }
  end

  def test_with_shares_the_connection_and_keeps_the_original
    api = api { FakeApi.error(503, "server_error") }
    patient, waits = patient_client(api, max_retries: 1)
    assert_raises(BeatMarket::ServerError) { patient.with(max_retries: 0).genres.list }
    assert_equal 1, api.requests.size
    assert_raises(BeatMarket::ServerError) { patient.genres.list }
    assert_equal [3, 1, 1], [api.requests.size, waits.size, api.connections]
  end
end
