# frozen_string_literal: true

require_relative "../test_helper"

# Events as they happen, over connections that end.
class EventStreamTest < ClientTest
  FULL = FakeApi.error(429, "rate_limit_exceeded", headers: { "Retry-After" => "3600" })
  DROP = ->(socket) { socket.close }
  HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"

  def event(position)
    body = JSON.generate(id: "evt_#{position}", created: 1, type: "beat.purchased", data: { title: "Café" })
    "id: #{position}\nevent: beat.purchased\ndata: #{body}\n\n:\n\n"
  end

  # A connection with these chunks, which ends regularly or is lost.
  def stream(*chunks, lost: false)
    lambda do |socket|
      socket.write(HEAD)
      chunks.each { |chunk| socket.write("#{chunk.bytesize.to_s(16)}\r\n", chunk, "\r\n") }
      lost ? socket.close : socket.write("0\r\n\r\n")
    end
  end

  def replying(*replies) = api { |_, count| replies.fetch(count - 1) }

  def last_ids(api) = api.requests.map { |request| request.headers["last-event-id"] }

  def test_events_come_one_by_one_with_their_position
    whole = "retry: 2000\n\n#{event(7)}"
    api = replying(stream(whole.byteslice(0, 40), whole.byteslice(40..) + event(8)))
    events = client(api).events.stream(after: 3, type: "beat.purchased")
    seen = []
    events.each do |event|
      seen << [event.class, event.id, event.data.title, events.position]
      break if seen.size == 2
    end
    assert_equal [[BeatMarket::Event, "evt_7", "Café", 7], [BeatMarket::Event, "evt_8", "Café", 8]], seen
    sent = api.requests.first
    assert_equal ["/v1/events?after=3&type=beat.purchased", "text/event-stream", nil], [sent.target, *sent.headers.values_at("accept", "last-event-id")]
  end

  def test_a_stream_reconnects_after_its_last_event
    api = replying(stream("retry: 2000\n\n", event(7)), stream(event(8), lost: true), DROP, stream(event(9)))
    client, waits = patient_client(api, max_retries: 0)
    assert_equal %w[evt_7 evt_8 evt_9], client.events.stream.first(3).map(&:id)
    assert_equal [nil, "7", "8", "8"], last_ids(api)
    assert_equal 2, waits.first
    assert_equal [true, true], [(0.25..0.5).cover?(waits[1]), (0.5..1).cover?(waits[2])]
  end

  def test_a_stream_retries_temporary_errors_without_limit
    troubles = [DROP, FULL, FakeApi.error(503, "server_error")] * 10
    client, waits = patient_client(replying(stream(event(7), lost: true), *troubles, stream(event(8))), max_retries: 0)
    assert_equal %w[evt_7 evt_8], client.events.stream.first(2).map(&:id)
    assert_equal [31, 10, 3600], [waits.size, waits.count(3600), waits.max]
  end

  def test_the_first_connection_is_retried_like_any_call
    client, waits = patient_client(replying(DROP, DROP), max_retries: 1)
    assert_raises(BeatMarket::APIConnectionError) { client.events.stream.first }
    assert_equal 1, waits.size
    assert_raises(BeatMarket::RateLimitError) { client(replying(FULL)).events.stream.first }
  end

  def test_a_401_or_410_ends_the_loop_and_a_new_loop_continues_after_the_last_event
    { 401 => BeatMarket::AuthenticationError, 410 => BeatMarket::GoneError }.each do |status, kind|
      api = replying(stream(event(7)), FakeApi.error(status, "not_found"), stream(event(8)))
      client, = patient_client(api)
      events = client.events.stream
      seen = []
      assert_raises(kind) { events.each { |event| seen << event.id } }
      assert_equal ["evt_7"], seen
      assert_equal "evt_8", events.first.id
      assert_equal [nil, "7", "7"], last_ids(api)
    end
  end

  def test_an_error_of_the_callers_block_is_not_retried
    client, waits = patient_client(replying(stream(event(7))))
    error = assert_raises(BeatMarket::APIConnectionError) { client.events.stream { raise BeatMarket::APIConnectionError, "own" } }
    assert_equal ["own", []], [error.message, waits]
  end

  def test_a_response_that_is_not_a_stream_of_events_raises_an_api_status_error
    assert_match(/not an event stream/, assert_raises(BeatMarket::APIStatusError) { client(replying(FakeApi.reply)).events.stream.first }.message)
    client, = patient_client(replying(stream("data: no JSON\n\n"), stream("data: no JSON\n\n")))
    assert_match(/unknown form/, assert_raises(BeatMarket::APIStatusError) { client.events.stream.first }.message)
  end

  def test_a_quiet_connection_is_lost_after_45_seconds
    timeouts = []
    watch = Module.new { define_method(:read_timeout=) { |seconds| timeouts << seconds and super(seconds) } }
    client = client(replying(stream(event(7))), timeout: 2)
    client.instance_variable_get(:@transport).connections.define_singleton_method(:open) { super().extend(watch) }
    client.events.stream.first
    assert_equal [2, 45, nil], timeouts.last(3)
  end

  def test_events_are_read_from_chunks_of_any_size
    lines = ["\ufeffretry: 9", ": comment", "id: 7", "data: ä", "data:  b", "", "id: 8\0", "retry: x", "data", "", "event: x", "", "data: cut off"]
    [1, 2, 3, 7, 1000].product(["\n", "\r\n", "\r"]) do |size, line_end|
      reader = BeatMarket::ServerSentEvents.new
      found = []
      lines.join(line_end).b.chars.each_slice(size) { |part| reader.read(part.join) { |id, data| found << [id, data] } }
      assert_equal [[["7", "ä\n b"], ["7", ""]], 0.009], [found, reader.retry_seconds], [size, line_end].inspect
    end
  end
end
