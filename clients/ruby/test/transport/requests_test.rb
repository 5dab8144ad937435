# frozen_string_literal: true

require_relative "../test_helper"

class RequestsTest < ClientTest
  def page_api = api { FakeApi.page([1], 1, 1, nil) }

  def test_each_request_has_key_user_agent_and_accept
    api = api { FakeApi.reply({ genres: [] }) }
    client(api).genres.list
    headers = api.requests.first.headers
    assert_equal "Bearer #{KEY}", headers["authorization"]
    assert_equal "application/json", headers["accept"]
    assert_equal "beatmarket-ruby/#{BeatMarket::VERSION}", headers["user-agent"]
    refute headers.key?("content-type")
    refute headers.key?("idempotency-key")
  end

  def test_a_query_has_exactly_the_given_parameters
    api = page_api
    client(api).beats.list(limit: 5, genre: nil, sort: :popular, producer: 7, page: 2).data
    assert_equal "/v1/beats?page=2&limit=5&producer=7&sort=popular", api.requests.first.target
  end

  def test_lists_times_and_booleans_are_sent_as_text
    api = page_api
    client(api).beats.list(genre: [3, 4], bpm_tolerance: 2.5, half_double: true, created_after: Time.utc(2026, 11),
                           created_before: "2026-11-22", tag: %w[lo-fi dark], license: :basic).data
    assert_equal "/v1/beats?genre=3%2C4&bpm_tolerance=2.5&half_double=true&created_after=2026-11-01T00%3A00%3A00.000Z" \
                 "&created_before=2026-11-22&tag=lo-fi%2Cdark&license=basic", api.requests.first.target
  end

  def test_many_beats_are_requested_in_groups_of_100
    api = api do |request|
      ids = request.target[/ids=(.*)/, 1].split("%2C").map(&:to_i)
      FakeApi.reply({ beats: (ids - [3, 101]).map { |id| { id: id, licenses: [{ type: "basic" }] } },
                      pagination: { total: 1, next_page_url: nil }, missing: ids & [3, 101] })
    end
    batch = client(api).beats.get_many([1, *1..101, 101, 2])
    assert_equal [99, [3, 101], "basic", 2], [batch.beats.size, batch.missing, batch.beats.first.licenses[0].type, api.requests.size]
    assert_empty client(api).beats.get_many([]).beats
  end

  def test_each_list_sends_its_own_filters
    api = api { FakeApi.reply({ producers: [], orders: [], beats: [], pagination: {}, totals: {} }) }
    client(api).then do |client|
      client.producers.list(sort: "name", limit: 1).data
      client.orders.list(status: "failed", page: 3).data
      client.beats.similar(4, limit: 2)
      client.search("x", type: :beats, limit: 2, page: 1).data
    end
    assert_equal ["/v1/producers?limit=1&sort=name", "/v1/orders?page=3&status=failed", "/v1/beats/4/similar?limit=2",
                  "/v1/search?q=x&type=beats&page=1&limit=2"], api.requests.map(&:target)
  end

  def test_search_text_is_encoded
    api = page_api
    ["a&b=c +#", "é 😀", "100%", "a\nb", "~*!'()"].each { |text| client(api).search(text).response rescue nil }
    arrived = api.requests.map { |request| URI.decode_www_form(URI("http://h#{request.target}").query).to_h["q"] }
    assert_equal ["a&b=c +#", "é 😀", "100%", "a\nb", "~*!'()"], arrived
  end

  def test_an_id_is_one_path_segment
    api = api { FakeApi.reply({ beat: {}, user: {}, order: {} }) }
    client(api).then do |client|
      client.beats.get("a/../b")
      client.users.get("é 😀")
      client.orders.get("?x#y%2F")
    end
    assert_equal %w[/v1/beats/a%2F..%2Fb /v1/users/%C3%A9%20%F0%9F%98%80 /v1/orders/%3Fx%23y%252F],
                 api.requests.map(&:target)
  end

  def test_an_invalid_id_is_refused_before_any_request
    api = api { FakeApi.reply }
    client = client(api)
    ["", nil, ".", ".."].each do |id|
      [client.beats.method(:get), client.beats.method(:similar), client.users.method(:get), client.orders.method(:get)]
        .each { |function| assert_raises(BeatMarket::BeatMarketError) { function.call(id) } }
    end
    assert_empty api.requests
  end

  def test_a_profile_update_sends_nil_and_omits_absent_fields
    api = api { FakeApi.reply({ user: { id: 1, bio: nil } }) }
    user = client(api).users.update_profile(bio: nil, display_name: "D")
    request = api.requests.first
    assert_equal ["PUT", "/v1/users/profile", "application/json", { "display_name" => "D", "bio" => nil }],
                 [request.verb, request.target, request.headers["content-type"], JSON.parse(request.body)]
    assert_nil user.bio
  end

  def test_each_order_has_its_own_or_the_given_idempotency_key
    api = api { FakeApi.reply({ order: { id: 1 } }, status: 201) }
    client = client(api)
    2.times { client.orders.create(beat_id: 1, payment_method: "pm") }
    client.orders.create(beat_id: 1, payment_method: "pm", license_type: :premium, idempotency_key: "mine")
    keys = api.requests.map { |request| request.headers["idempotency-key"] }
    assert_equal 3, keys.uniq.size
    assert_equal "mine", keys.last
    assert_match(/\A\h{8}-\h{4}-4/, keys.first)
    assert_equal [{ "beat_id" => 1, "payment_method" => "pm" },
                  { "beat_id" => 1, "payment_method" => "pm", "license_type" => "premium" }],
                 [api.requests[0], api.requests[2]].map { |request| JSON.parse(request.body) }
  end

  def test_a_new_beat_sends_only_the_given_fields
    api = api { FakeApi.reply({ beat: { id: 1, status: "draft" } }, status: 201, headers: { "ETag" => '"v1"' }) }
    fields = { title: "T", genre: "Ambient", audio: "upl_1", price: 29.9 }
    beat = client(api).beats.create(**fields, license_prices: { premium: 60 }, tags: %w[warm], idempotency_key: "mine")
    client(api).beats.create(**fields)
    assert_equal [1, "draft", '"v1"'], [beat.id, beat.status, beat.response.etag]
    assert_equal ["/v1/beats", "mine"], [api.requests[0].target, api.requests[0].headers["idempotency-key"]]
    assert_equal [{ **fields, license_prices: { premium: 60 }, tags: %w[warm] }, fields],
                 api.requests.map { |request| JSON.parse(request.body, symbolize_names: true) }
    assert_match(/\A\h{8}-/, api.requests[1].headers["idempotency-key"])
  end

  def test_a_change_of_a_beat_sends_nil_and_if_match_and_omits_absent_fields
    api = api { FakeApi.reply({ beat: { id: 1 } }) }
    client(api).then do |client|
      client.beats.update(1, price: 35, description: nil, if_match: '"v1"')
      client.beats.update("1", status: :published)
      client.beats.withdraw(1, if_match: '"v2"')
      client.beats.withdraw(1)
    end
    assert_equal [["PATCH", '"v1"', '{"price":35,"description":null}'], ["PATCH", nil, '{"status":"published"}'],
                  ["DELETE", '"v2"', ""], ["DELETE", nil, ""]],
                 api.requests.map { |request| [request.verb, request.headers["if-match"], request.body.to_s] }
    assert_equal ["/v1/beats/1"], api.requests.map(&:target).uniq
  end

  def test_own_beats_are_listed_by_status
    api = page_api
    assert_equal [1], client(api).users.my_beats(status: :draft, limit: 2).map(&:id)
    assert_equal "/v1/users/me/beats?limit=2&status=draft", api.requests.first.target
  end

  def test_an_invalid_idempotency_key_is_refused_before_any_request
    api = api { FakeApi.reply }
    ["", "a b", "é", "\xff", "x\r\nY: 1", "x" * 256, 7781, :cart, 1.5, []].each do |key|
      assert_raises(BeatMarket::BeatMarketError, key.inspect) do
        client(api).orders.create(beat_id: 1, payment_method: "pm", idempotency_key: key)
      end
    end
    assert_empty api.requests
  end

  def test_a_raw_request_has_query_body_and_headers_and_returns_the_whole_response
    api = api { FakeApi.reply({ x: 1 }, headers: { "ETag" => "abc", "X-Request-Id" => "r" }) }
    response = client(api).request(:post, "/new?a=1", query: { b: "c d", n: nil }, body: { z: 1 }, headers: { accept: "x/y" })
    request = api.requests.first
    assert_equal ["POST", "/v1/new?a=1&b=c%20d", "x/y", '{"z":1}'],
                 [request.verb, request.target, request.headers["accept"], request.body]
    assert request.headers["idempotency-key"]
    assert_equal [200, "abc", "r", { "x" => 1 }], [response.status, response.headers["etag"], response.request_id,
                                                  response.body["data"]]
    assert_equal '{"status":"success","data":{"x":1}}', response.text
  end

  def test_a_string_body_is_sent_unchanged
    api = api { FakeApi.reply }
    client(api).request("PUT", "/x", body: "{ }", headers: { "Content-Type" => "application/x" })
    assert_equal ["{ }", "application/x"], [api.requests.first.body, api.requests.first.headers["content-type"]]
  end

  def test_an_invalid_path_is_refused_before_any_request
    api = api { FakeApi.reply }
    ["beats", "https://evil.example/v1", "/a b", "/a\r\nX: 1", "/é", "", "/a#b", "/a\\b", "/../users", "/a/./b",
     "/a/..", "/%2E%2e/x", "/..?a=1"].each do |path|
      assert_raises(BeatMarket::BeatMarketError, path) { client(api).request("GET", path) }
    end
    assert_empty api.requests
  end

  def test_a_line_break_in_a_header_is_refused_before_any_request
    api = api { FakeApi.reply }
    [{ "X-A" => "b\r\nX-Evil: 1" }, { "X\nY" => "1" }, { "X-A" => "\0" }].each do |headers|
      error = assert_raises(BeatMarket::BeatMarketError) { client(api).request("GET", "/beats", headers: headers) }
      assert_includes error.message, "The header #{headers.keys.first.inspect}"
    end
    error = assert_raises(BeatMarket::BeatMarketError) { client(api).beats.update(1, price: 2, if_match: "x\r\nX-Evil: 1") }
    assert_includes error.message, "if_match must be"
    assert_empty api.requests
  end

  def test_a_204_is_a_response_without_a_body
    response = client(api { FakeApi.reply(status: 204, body: "") }).request("DELETE", "/uploads/upl_1")
    assert_equal [204, nil, ""], [response.status, response.body, response.text]
  end

  def test_one_call_can_have_its_own_limits
    api = api { |request| request.target.end_with?("slow") ? ->(_) { sleep } : FakeApi.error(503, "server_error") }
    client, waits = patient_client(api)
    assert_raises(BeatMarket::ServerError) { client.with(max_retries: 0).genres.list }
    error = assert_raises(BeatMarket::APITimeoutError) { client.with(timeout: 0.1, max_retries: 0).request("GET", "/slow") }
    assert_match(/0\.1 s/, error.message)
    assert_equal [2, []], [api.requests.size, waits]
  end

  def test_a_head_or_304_response_has_no_body
    api = api { |request| request.verb == "HEAD" ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" : "HTTP/1.1 304 N\r\n\r\n" }
    assert_nil client(api).request("HEAD", "/beats").body
    assert_equal 304, client(api).request("GET", "/beats", headers: { "If-None-Match" => "x" }).status
  end

  def test_responses_have_a_rate_limit_or_nil
    full = { "X-RateLimit-Limit" => "10", "X-RateLimit-Remaining" => "0", "X-RateLimit-Reset" => "1795176000" }
    headers = [full, {}, full.merge("X-RateLimit-Reset" => "soon"), full.reject { |name, _| name.end_with?("Limit") }]
    api = api { |_, count| FakeApi.reply({ genres: [] }, headers: headers[count - 1]) }
    limits = Array.new(4) { client(api).genres.list.response.rate_limit }
    assert_equal({ limit: 10, remaining: 0, reset: 1_795_176_000 }, limits.first.to_h)
    assert_equal Time.utc(2026, 11, 20, 12), limits.first.reset_at
    assert_predicate limits.first, :frozen?
    assert_equal [nil, nil, nil], limits.drop(1)
  end

  MISTAKES = {
    "an id that is a list" => ->(client) { client.beats.get([]) },
    "ids that are nil" => ->(client) { client.beats.get_many(nil) },
    "ids that are a text" => ->(client) { client.beats.get_many("abc") },
    "an empty etag" => ->(client) { client.beats.update(1, title: "x", if_match: "") },
    "an etag that is a number" => ->(client) { client.beats.update(1, title: "x", if_match: 5) },
    "a number that JSON does not have" => ->(client) { client.users.update_profile(bio: Float::NAN) },
    "a text that is not UTF-8" => ->(client) { client.users.update_profile(bio: "\xff") },
    "no path" => ->(client) { client.request("GET", nil) },
    "no method" => ->(client) { client.request(nil, "/beats") },
    "a method with a space" => ->(client) { client.request("G T", "/beats") },
    "a query that is a text" => ->(client) { client.request("GET", "/beats", query: "limit=1") },
    "headers that are a list" => ->(client) { client.request("GET", "/beats", headers: ["a"]) },
    "a header with a space" => ->(client) { client.request("GET", "/beats", headers: { "a b" => "c" }) },
    "no file" => ->(client) { client.uploads.upload(nil, kind: "audio") },
    "a file that is a number" => ->(client) { client.uploads.upload(5, kind: "audio") },
    "an upload without a kind" => ->(client) { client.uploads.upload(__FILE__, kind: nil) },
    "a filename that is a number" => ->(client) { client.uploads.upload(__FILE__, kind: "audio", filename: 5) },
    "a time to wait that is a text" => ->(client) { client.uploads.wait("u", timeout: "x") },
  }.freeze

  MISTAKES.each do |name, mistake|
    define_method("test_#{name.tr(" -", "__")}_is_refused_before_anything_is_sent") do
      api = api { FakeApi.reply }
      error = assert_raises(BeatMarket::BeatMarketError) { mistake.call(client(api)) }
      assert_instance_of BeatMarket::BeatMarketError, error
      assert_empty api.requests
    end
  end

  def test_an_invalid_wait_is_sent_and_the_service_refuses_it
    api = api { FakeApi.error(400, "invalid_request") }
    assert_raises(BeatMarket::InvalidRequestError) { client(api).changes.list(wait: "x") }
  end

  def test_an_object_that_is_not_a_logger_is_refused
    assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Client.new(api_key: "bm_1", logger: 5) }
  end
end
