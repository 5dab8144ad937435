# frozen_string_literal: true

require_relative "../test_helper"

# The additions of a caller to calls, and the reports of attempts.
class WaysOutTest < ClientTest
  BEAT = FakeApi.reply({ beat: { id: 1 } }, headers: { "X-Request-Id" => "req-1", "Set-Cookie" => "session=s3cret" })
  ORDER = FakeApi.reply({ order: { id: 1 } })
  DROP = ->(socket) { socket.close }

  def teardown
    super
    ENV.delete("BEATMARKET_LOG")
  end

  def replying(*replies) = api { |_, count| replies.fetch(count - 1, replies.last) }

  def refusal(pattern, &)
    assert_match(pattern, assert_raises(BeatMarket::BeatMarketError, &).message)
  end

  def test_default_headers_and_the_suffix_are_in_every_attempt
    api = replying(FakeApi.error(503, "server_error"), BEAT)
    client, = patient_client(api, headers: { "X-Tenant" => "a" }, user_agent_suffix: "my-shop/1.2 (x)")
    client.beats.get(1)
    assert_equal ["a", "a"], api.requests.map { |request| request.headers["x-tenant"] }
    api.requests.each { |request| assert_match(%r{\Abeatmarket-ruby/\S+ my-shop/1\.2 \(x\)\z}, request.headers["user-agent"]) }
  end

  def test_a_raw_request_overrides_default_headers
    api = replying(BEAT)
    client(api, headers: { "X-Tenant" => "a" }).request("GET", "/beats/1", headers: { "x-tenant" => "b" })
    assert_equal "b", api.requests.first.headers["x-tenant"]
  end

  def test_a_header_that_the_client_sets_itself_is_refused
    %w[Accept authorization Content-Type idempotency-key If-Match Range upload-offset User-Agent x-api-key].each do |name|
      sentence = /The client sets the header #{name} itself/
      refusal(sentence) { BeatMarket::Client.new(api_key: KEY, headers: { name => "x" }) }
      refusal(sentence) { BeatMarket::Client.new(api_key: KEY).with(headers: { name.to_sym => "x" }) }
    end
  end

  def test_an_invalid_option_raises_with_the_reason
    { { headers: { "x y" => "1" } } => /"x y" has a line break, or a name/, { headers: { "x-y" => "1\r\nx-z: 2" } } => /"x-y" has a line break/,
      { headers: [1] } => /headers must be a Hash/, { user_agent_suffix: "a\nb" } => %r{must be like my-shop/1\.2},
      { user_agent_suffix: " " } => /user_agent_suffix/, { allow_http: "yes" } => /allow_http must be true or false, not "yes"/,
      { on_request: 1 } => /on_request must have a method call, unlike 1/, { on_response: "x" } => /on_response/ }.each do |options, sentence|
      refusal(sentence) { BeatMarket::Client.new(api_key: KEY, **options) }
    end
    refusal(/query must be a Hash/) { BeatMarket::Client.new(api_key: KEY).with(query: "a=1") }
  end

  def test_a_call_can_add_headers_query_and_body_fields
    api = replying(ORDER)
    client = client(api, headers: { "x-tenant" => "a", "x-region" => "eu" })
    client.with(headers: { "X-Tenant" => "b" }, query: { preview: true }, body: { note: "for Ana" }).orders.create(beat_id: 2, payment_method: "pm")
    sent = api.requests.first
    assert_equal ["/v1/orders?preview=true", "b", "eu"], [sent.target, *sent.headers.values_at("x-tenant", "x-region")]
    assert_equal({ "beat_id" => 2, "payment_method" => "pm", "note" => "for Ana" }, JSON.parse(sent.body))
    client.orders.get(1)
    assert_equal ["/v1/orders/1", "a"], [api.requests.last.target, api.requests.last.headers["x-tenant"]]
  end

  def test_a_field_of_an_argument_that_is_not_passed_can_be_added
    api = replying(FakeApi.page([1], 1, 1, nil), ORDER)
    client(api).with(query: { sort: "popular" }).beats.list(limit: 2).first
    client(api).with(body: { currency: "USD" }).orders.create(beat_id: 1, payment_method: "pm")
    assert_equal ["/v1/beats?limit=2&sort=popular", "USD"], [api.requests.first.target, JSON.parse(api.requests.last.body)["currency"]]
  end

  def test_options_of_several_copies_are_merged
    api = replying(BEAT)
    client(api).with(query: { "a" => 1, "b" => 1 }).with(query: { b: 2 }, timeout: 5).beats.get(1)
    assert_equal "/v1/beats/1?a=1&b=2", api.requests.first.target
  end

  def test_all_pages_of_a_list_have_the_added_headers_and_query
    api = api { |request, count| FakeApi.page([count], count, 2, (count == 1 ? "http://#{request.headers["host"]}/v1/beats?page=2&b=9" : nil)) }
    assert_equal 2, client(api).with(headers: { "x-tenant" => "a" }, query: { a: "x y", b: 9 }).beats.list(limit: 1).count
    assert_equal ["/v1/beats?limit=1&a=x%20y&b=9", "/v1/beats?page=2&b=9&a=x%20y"], api.requests.map(&:target)
    assert_equal %w[a a], api.requests.map { |request| request.headers["x-tenant"] }
  end

  def test_a_field_that_a_call_cannot_have_is_refused_before_any_request
    api = replying(BEAT)
    client = client(api)
    refusal(/This call sends limit itself.*in query/) { client.with(query: { limit: 5 }).beats.list(limit: 4).first }
    refusal(/This call sends a itself/) { client.with(query: { a: 1 }).request("GET", "/beats?a=2") }
    refusal(/This call sends beat_id itself.*in body/) { client.with(body: { beat_id: 2 }).orders.create(beat_id: 1, payment_method: "pm") }
    refusal(/This call has no JSON object to add a to/) { client.with(body: { a: 1 }).beats.get(1) }
    assert_empty api.requests
  end

  def test_plain_http_is_accepted_only_if_allowed
    refusal(/allow_http: true/) { BeatMarket::Client.new(api_key: KEY, base_url: "http://prism:4010/v1") }
    allowed = BeatMarket::Client.new(api_key: KEY, base_url: "http://prism:4010/v1", allow_http: true)
    assert_equal "#<BeatMarket::Client http://prism:4010/v1>", allowed.inspect
    refusal(/base_url must be like/) { BeatMarket::Client.new(api_key: KEY, base_url: "ftp://prism/v1", allow_http: true) }
  end

  def test_hooks_see_each_attempt_without_the_key
    reports = []
    hook = ->(info) { reports << info }
    client, = patient_client(replying(DROP, FakeApi.error(503, "server_error"), BEAT), on_request: hook, on_response: hook)
    client.with(query: { secret: "s" }).beats.get(7)
    assert_equal [BeatMarket::RequestInfo, BeatMarket::ResponseInfo] * 3, reports.map(&:class)
    assert_equal [["GET", "/v1/beats/7", "getBeat"]], reports.map { |info| [info.method, info.path, info.operation] }.uniq
    assert_equal [1, 1, 2, 2, 3, 3], reports.map(&:attempt)
    ends = reports.grep(BeatMarket::ResponseInfo)
    assert_equal [[nil, nil], [503, "req-1"], [200, "req-1"]], ends.map { |info| [info.status, info.request_id] }
    assert_equal [BeatMarket::APIConnectionError, BeatMarket::ServerError, NilClass], ends.map { |info| info.error.class }
    assert(ends.all? { |info| info.duration_ms >= 0 && info.frozen? })
    assert_equal "Bearer bm_…#{KEY[-4..]}", reports.first.request_headers["authorization"]
    refute_match(/#{KEY}/, reports.inspect)
  end

  def test_a_short_key_is_masked_completely
    reports = []
    BeatMarket::Client.new(api_key: "bm_test", base_url: replying(BEAT).base_url, on_request: ->(info) { reports << info }).request("GET", "/beats/1")
    assert_equal ["Bearer bm_…", nil], [reports.first.request_headers["authorization"], reports.first.operation]
  end

  def test_a_call_raises_the_error_of_its_hook
    [ArgumentError.new("own"), BeatMarket::APITimeoutError.new("own"), EOFError.new("own")].product(%i[on_request on_response]) do |error, hook|
      api = replying(BEAT)
      client, waits = patient_client(api, hook => ->(_) { raise error })
      assert_same error, assert_raises(error.class) { client.beats.get(1) }
      assert_equal [[], hook == :on_response ? 1 : 0], [waits, api.requests.size]
    end
  end

  def test_the_log_has_a_line_for_each_attempt
    ENV["BEATMARKET_LOG"] = "info"
    client, = patient_client(replying(DROP, FakeApi.error(503, "server_error"), BEAT))
    _, log = capture_io { client.beats.get(1) }
    first, *others = log.lines
    assert_match(%r{\Abeatmarket GET /v1/beats/1 APIConnectionError \d+ ms - attempt 1\n\z}, first)
    assert_match(%r{\Abeatmarket GET /v1/beats/1 503 \d+ ms req-1 attempt 2\nbeatmarket GET /v1/beats/1 200 \d+ ms req-1 attempt 3\n\z}, others.join)
  end

  def test_the_debug_log_has_headers_but_no_secret
    ENV["BEATMARKET_LOG"] = " DEBUG\n"
    client = client(replying(BEAT), headers: { "Cookie" => "a=s3cret", "X-Tenant" => "a" })
    _, log = capture_io { client.beats.get(1) }
    ["> x-tenant: a", "> cookie: …", "> authorization: Bearer bm_…#{KEY[-4..]}", "< set-cookie: …", "< x-request-id: req-1"].each do |line|
      assert_includes log.lines, "beatmarket #{line}\n"
    end
    refute_match(/s3cret|#{KEY}/, log)
  end

  def test_an_unknown_log_level_is_reported_once
    level = "verbose#{rand(1_000_000)}"
    ENV["BEATMARKET_LOG"] = level
    _, log = capture_io { 2.times { client(replying(BEAT)).beats.get(1) } }
    assert_equal "beatmarket BEATMARKET_LOG is #{level.inspect}, which is not known: it takes info or debug.\n", log
  end

  def test_nothing_is_logged_without_the_variable
    assert_equal ["", ""], capture_io { client(replying(BEAT)).beats.get(1) }
  end
end
