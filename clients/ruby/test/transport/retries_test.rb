# frozen_string_literal: true

require_relative "../test_helper"

class RetriesTest < ClientTest
  ORDER = FakeApi.reply({ order: { id: 7 } }, status: 201)

  def failing(times, failure, then_what = FakeApi.reply({ genres: [] }))
    api { |_, count| count <= times ? failure : then_what }
  end

  [408, 429, 500, 502, 503, 504].each do |status|
    define_method(:"test_#{status}_is_tried_again_with_growing_waits") do
      api = failing(2, FakeApi.error(status, "x"))
      client, waits = patient_client(api)
      client.genres.list
      assert_equal 3, api.requests.size
      assert_includes 0.25..0.5, waits[0]
      assert_includes 0.5..1.0, waits[1]
    end
  end

  [400, 401, 403, 404, 409, 418, 501, 505].each do |status|
    define_method(:"test_#{status}_is_final") do
      api = failing(1, FakeApi.error(status, "x"))
      assert_raises(BeatMarket::APIStatusError) { patient_client(api).first.genres.list }
      assert_equal 1, api.requests.size
    end
  end

  def test_raises_the_error_of_the_last_attempt
    api = failing(9, FakeApi.error(503, "server_error"))
    assert_raises(BeatMarket::ServerError) { patient_client(api).first.genres.list }
    assert_equal 3, api.requests.size
  end

  def test_backoff_is_at_most_eight_seconds
    api = failing(12, FakeApi.error(503, "server_error"))
    client, waits = patient_client(api, max_retries: 12)
    client.genres.list
    assert_includes 4.0..8.0, waits.last
    assert_operator waits.max, :<=, 8.0
  end

  def test_a_409_with_retry_after_is_retried_after_that_wait
    api = failing(1, FakeApi.error(409, "invalid_request", headers: { "Retry-After" => "2" }), ORDER)
    client, waits = patient_client(api)
    assert_equal 7, client.orders.create(beat_id: 1, payment_method: "pm").id
    assert_equal [2], waits
  end

  def test_retry_after_sets_the_wait_in_seconds_or_by_date
    { "1" => 1..1, "60" => 60..60, "0" => 0..0, (Time.now + 30).httpdate => 28..30 }
      .each do |retry_after, expected|
      client, waits = patient_client(failing(1, FakeApi.error(429, "x", headers: { "Retry-After" => retry_after })))
      client.genres.list
      assert_includes expected, waits.first, retry_after
    end
  end

  def test_an_invalid_or_past_retry_after_is_ignored
    ["soon", "-5", "1.5", "", "1e3", "9" * 30, "\xff", "Fri, 01 Jan 2021 00:00:00 GMT"].each do |retry_after|
      client, waits = patient_client(failing(1, FakeApi.error(429, "x", headers: { "Retry-After" => retry_after }).b))
      client.genres.list
      assert_includes 0.25..0.5, waits.first, retry_after
    end
  end

  def test_a_conflict_with_a_past_retry_after_is_not_retried
    api = failing(1, FakeApi.error(409, "invalid_request", headers: { "Retry-After" => "Fri, 01 Jan 2021 00:00:00 GMT" }))
    error = assert_raises(BeatMarket::InvalidRequestError) { patient_client(api).first.orders.get(7) }
    assert_equal [nil, 1], [error.retry_after, api.requests.size]
  end

  def test_a_retry_after_above_the_limit_raises_immediately
    api = failing(1, FakeApi.error(429, "rate_limit_exceeded", headers: { "Retry-After" => "61" }))
    client, waits = patient_client(api)
    error = assert_raises(BeatMarket::RateLimitError) { client.genres.list }
    assert_equal [61, 1, []], [error.retry_after, api.requests.size, waits]
  end

  def test_max_retry_after_can_be_set
    client, waits = patient_client(failing(1, FakeApi.error(429, "x", headers: { "Retry-After" => "61" })), max_retry_after: 61)
    client.genres.list
    assert_equal [61], waits
  end

  def test_a_lost_response_is_retried_with_the_same_idempotency_key
    api = failing(2, ->(socket) { socket.close }, ORDER)
    client, = patient_client(api)
    assert_equal 7, client.orders.create(beat_id: 1, payment_method: "pm").id
    assert_equal [3, 1], [api.requests.size, api.requests.map { |request| request.headers["idempotency-key"] }.uniq.size]
  end

  def test_a_body_that_is_cut_is_a_lost_connection
    whole = FakeApi.reply({ genres: [{ id: 1 }] })
    api = failing(1, ->(socket) { socket.write(whole[0...-9]) && socket.close }, whole)
    assert_equal [1], patient_client(api).first.genres.list.map(&:id)
    assert_equal 2, api.requests.size
  end

  def test_max_retries_zero_sends_one_request
    api = failing(9, ->(socket) { socket.close })
    error = assert_raises(BeatMarket::APIConnectionError) { client(api, max_retries: 0).genres.list }
    assert_equal 1, api.requests.size
    assert_kind_of EOFError, error.cause
  end

  def test_a_closed_idle_connection_costs_no_attempt
    api = api { |_, count| count == 1 ? FakeApi.reply({ genres: [] }).sub("\r\n", "\r\nConnection: close\r\n") : FakeApi.reply({ genres: [] }) }
    client = client(api, max_retries: 0)
    2.times { client.genres.list }
    assert_equal 2, api.connections
  end
end
