# frozen_string_literal: true

require_relative "../test_helper"

class ErrorsTest < ClientTest
  EXPECTED = {
    400 => ["invalid_request", BeatMarket::InvalidRequestError],
    401 => ["unauthorized", BeatMarket::AuthenticationError],
    403 => ["forbidden", BeatMarket::PermissionDeniedError],
    404 => ["not_found", BeatMarket::NotFoundError],
    409 => ["invalid_request", BeatMarket::InvalidRequestError],
    412 => ["invalid_request", BeatMarket::PreconditionFailedError],
    418 => ["a_code_of_later", BeatMarket::APIStatusError],
    429 => ["rate_limit_exceeded", BeatMarket::RateLimitError],
    500 => ["server_error", BeatMarket::ServerError],
    599 => ["a_code_of_later", BeatMarket::ServerError]
  }.freeze

  EXPECTED.each do |status, (code, type)|
    define_method(:"test_#{status}_is_#{type.name}_with_all_fields") do
      headers = { "X-RateLimit-Limit" => 10, "X-RateLimit-Remaining" => 0, "X-RateLimit-Reset" => 7, "Retry-After" => 9 }
      api = api { FakeApi.error(status, code, headers: headers) }
      error = assert_raises(BeatMarket::BeatMarketError) { client(api, max_retries: 0).beats.get(1) }
      assert_instance_of type, error
      assert_equal [status, code, "Short", "Long.", "req-1", 9, 7],
                   [error.status, error.code, error.reason, error.details, error.request_id, error.retry_after,
                    error.rate_limit.reset]
      assert_equal "#{status} #{code}: Short: Long. (request req-1)", error.message
    end
  end

  def test_a_printed_error_has_all_details
    api = api { FakeApi.error(404, "not_found", message: "Not found", details: "Beat 9 does not exist.") }
    error = assert_raises(BeatMarket::NotFoundError) { client(api).beats.get(9) }
    sentence = "404 not_found: Not found: Beat 9 does not exist. (request req-1)"
    assert_equal [sentence, "#<BeatMarket::NotFoundError: #{sentence}>"], [error.message, error.inspect]
    assert_includes error.full_message(highlight: false), sentence
  end

  def test_an_error_of_another_server_has_no_code_and_details
    ["<html>", "", "null", "[]", '{"error":"x"}', '{"error":{"code":5}}', "\xff\xfe", "[" * 500].each do |body|
      api = api { FakeApi.reply(status: 502, body: body.b) }
      error = assert_raises(BeatMarket::ServerError) { client(api, max_retries: 0).beats.get(1) }
      assert_equal [502, nil, nil, nil, nil], [error.status, error.code, error.details, error.request_id, error.rate_limit]
      assert_match(/\A502: The response is not the API's: [^\n:]+: [^\n]+\z/, error.message)
      assert_equal body.b, error.response.text.b
    end
  end

  def test_an_error_says_what_a_proxy_responded
    page = "<html>\r\n<h1>Bad gateway</h1> #{"é" * 300}"
    api = api { FakeApi.reply(status: 502, headers: { "Content-Type" => "Text/HTML; charset=utf-8", "Via" => "1.1 proxy" }, body: page) }
    error = assert_raises(BeatMarket::ServerError) { client(api, max_retries: 0).beats.get(1) }
    assert_equal ["text/html", "<html> <h1>Bad gateway</h1> #{"é" * 172}…", "1.1 proxy"], [error.content_type, error.excerpt, error.headers["via"]]
    assert_equal "502: The response is not the API's: text/html: #{error.excerpt}", error.message
  end

  def test_a_success_of_an_unknown_form_raises_without_retry
    ["<html>", "", "null", "[1]", "3", '"text"', '{"status":"error","error":{"code":"server_error","message":"M","details":"D"}}',
     '{"status":"success"}', '{"status":"success","data":[]}', '{"status":"success","data":{}}',
     '{"status":"success","data":{"beat":[]}}', '{"status":"success","data":{"beat":null}}'].each do |body|
      api = api { FakeApi.reply(body: body) }
      error = assert_raises(BeatMarket::APIStatusError, body) { client(api).beats.get(1) }
      assert_equal [200, 1], [error.status, api.requests.size]
    end
  end

  def test_a_missing_list_is_an_error
    [{}, { beats: {} }, { beats: [] }, { beats: [], pagination: [] }].each do |data|
      api = api { FakeApi.reply(data) }
      assert_raises(BeatMarket::APIStatusError, data.inspect) { client(api).beats.list.to_a }
    end
  end

  def test_an_error_body_with_status_200_keeps_its_message
    api = api { FakeApi.reply(body: '{"status":"error","error":{"code":"server_error","message":"M","details":"D"}}') }
    error = assert_raises(BeatMarket::ServerError) { client(api).genres.list }
    assert_equal [200, "server_error", "M", "D"], [error.status, error.code, error.reason, error.details]
  end

  def test_a_raw_request_checks_its_response_too
    ["<html>", "null", "", '{"status":"error"}'].each do |body|
      api = api { FakeApi.reply(body: body) }
      assert_raises(BeatMarket::APIStatusError, body) { client(api).request("GET", "/beats") }
    end
  end

  def test_an_error_has_the_idempotency_key_of_its_request
    buy = ->(client, **key) { client.orders.create(beat_id: 1, payment_method: "pm", **key) }
    replies = [FakeApi.error(409, "invalid_request"), ->(socket) { socket.close }, FakeApi.reply(body: "<html>")]
    api = api { |_, count| replies[(count - 1) / 2] }
    client = client(api, max_retries: 0)
    replies.each do
      errors = [{}, { idempotency_key: "mine" }].map { |key| assert_raises(BeatMarket::BeatMarketError) { buy.call(client, **key) } }
      assert_equal [api.requests[-2].headers["idempotency-key"], "mine"], errors.map(&:idempotency_key)
    end
    assert_nil assert_raises(BeatMarket::BeatMarketError) { client(api { FakeApi.error(404, "x") }).beats.get(1) }.idempotency_key
  end

  def test_a_redirect_is_not_followed
    elsewhere = api { FakeApi.reply({ genres: [] }) }
    api = api { FakeApi.reply(status: 302, headers: { "Location" => "#{elsewhere.base_url}/genres" }, body: "") }
    error = assert_raises(BeatMarket::APIStatusError) { client(api).genres.list }
    assert_equal [302, 1, 0], [error.status, api.requests.size, elsewhere.requests.size]
    assert_match(/is base_url right\?/, error.message)
  end

  def test_each_error_has_the_documented_superclass
    assert_equal [BeatMarket::APIConnectionError, BeatMarket::BeatMarketError, StandardError],
                 [BeatMarket::APITimeoutError, BeatMarket::APIConnectionError, BeatMarket::BeatMarketError].map(&:superclass)
    [BeatMarket::APIStatusError, BeatMarket::SignatureVerificationError].each do |type|
      assert_equal BeatMarket::BeatMarketError, type.superclass
    end
    BeatMarket::APIStatusError::BY_CODE.each_value { |type| assert_equal BeatMarket::APIStatusError, type.superclass }
  end
end
