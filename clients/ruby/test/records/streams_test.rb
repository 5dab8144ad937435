# frozen_string_literal: true

require_relative "../test_helper"
require "tmpdir"
require "zlib"

# Feeds and exports continue in spite of temporary failures.
class StreamsTest < ClientTest
  FULL = FakeApi.error(429, "rate_limit_exceeded", headers: { "Retry-After" => "3600" })

  def page(positions, next_position)
    changes = positions.map { |position| { position: position, type: "sold", beat_id: 1, beat: nil } }
    FakeApi.reply({ changes: changes, next: next_position })
  end

  def replying(*replies) = api { |_, count| replies.fetch(count - 1) }

  def test_a_page_of_changes_has_the_position_of_the_next_page
    api = replying(page([4, 6], 7))
    found = client(api).changes.list(after: 3, limit: 2, wait: 5)
    assert_equal [[4, 6], "sold", 1, nil], [found.map(&:position), found.first.type, found.first.beat_id, found.first.beat]
    assert_equal [found.changes, 7, 200], [found.data, found.next, found.response.status]
    assert_equal ["/v1/changes?after=3&limit=2&wait=5"], api.requests.map(&:target)
  end

  def test_the_wait_of_a_call_is_added_to_its_timeout
    timeouts = []
    client = client(replying(page([], 7), page([], 7)), timeout: 2)
    connections = client.instance_variable_get(:@transport).connections
    connections.define_singleton_method(:exchange) { |request, timeout, *rest| timeouts << timeout and super(request, timeout, *rest) }
    client.changes.list(wait: 30)
    client.changes.list
    assert_equal [32, 2], timeouts
  end

  def test_follow_continues_after_each_page_even_an_empty_one
    api = replying(page([4], 4), page([], 9), page([12], 12))
    assert_equal [[1, 4], [0, 9], [1, 12]], client(api).changes.follow(after: 3).first(3).map { |page| [page.size, page.next] }
    assert_equal [3, 4, 9].map { |after| "/v1/changes?after=#{after}&limit=1000&wait=30" }, api.requests.map(&:target)
  end

  def test_a_follower_retries_temporary_errors_without_limit
    troubles = [->(socket) { socket.close }, FULL] * 20
    api = replying(page([4], 4), *troubles, page([5], 5))
    client, waits = patient_client(api, max_retries: 0)
    assert_equal [4, 5], client.changes.follow(after: 3).first(2).map(&:next)
    assert_equal ["/v1/changes?after=4&limit=1000&wait=30"], api.requests.drop(1).map(&:target).uniq
    assert_equal [40, 3600], [waits.size, waits.max]
  end

  def test_follow_raises_if_the_first_page_cannot_be_read
    api = replying(->(socket) { socket.close })
    assert_raises(BeatMarket::APIConnectionError) { client(api, max_retries: 0).changes.follow(after: 3).next }
  end

  def test_follow_raises_if_the_changes_are_no_longer_kept
    pages = client(replying(page([4], 4), FakeApi.error(410, "not_found"))).changes.follow(after: 3)
    pages.next
    assert_raises(BeatMarket::GoneError) { pages.next }
  end

  def test_a_page_keeps_changes_of_another_type_unchanged
    api = api { FakeApi.reply({ changes: [nil, { position: "4", beat: 5 }], next: nil }) }
    page = client(api).changes.list
    assert_equal [nil, "4", 5, nil], [page[0], page[1].position, page[1].beat, page.next]
    # Without a position, a follower would start again with the oldest change.
    assert_raises(BeatMarket::APIStatusError) { client(api).changes.follow(after: 3).first(2) }
  end

  def test_list_obeys_the_retry_limits_of_the_client_unlike_follow
    assert_raises(BeatMarket::RateLimitError) { client(replying(FULL)).changes.list }
  end

  def test_events_are_followed_as_changes_are
    reply = FakeApi.reply({ events: [{ id: "evt_1", type: "beat.updated", data: { changed: ["available"] } }], next: 9 })
    api = replying(reply, FakeApi.reply({ event: { id: "evt_1", type: "x", data: {} } }))
    page = client(api).events.follow(after: 7, type: "beat.updated").first
    assert_equal [["available"], 9], [page.events.first.data.changed, page.next]
    assert_equal "evt_1", client(api).events.get("evt_1").id
    assert_equal %w[/v1/events?after=7&type=beat.updated&limit=1000&wait=30 /v1/events/evt_1], api.requests.map(&:target)
  end

  EXPORT = Zlib.gzip(%({"id":1,"title":"One"}\n{"id":2,"title":"Zwei ä"}\n))

  def part(status, range, position: 7, sent: range)
    at = status == 206 ? "Content-Range: bytes #{range.begin}-#{EXPORT.bytesize - 1}/#{EXPORT.bytesize}\r\n" : ""
    head = "HTTP/1.1 #{status} X\r\n#{at}ETag: \"#{position}\"\r\nX-Change-Position: #{position}\r\nContent-Length: #{EXPORT[range].bytesize}\r\n\r\n"
    lambda do |socket|
      socket.write(head, EXPORT[sent])
      socket.close if sent != range
    end
  end

  def download(*parts, **options)
    api = replying(*parts)
    Dir.mktmpdir do |folder|
      export = patient_client(api, **options).first.exports.beats("#{folder}/beats.gz")
      [export.position, export.map(&:title), api.requests.map { |request| request.headers.values_at("range", "if-range") }]
    end
  end

  def test_an_export_resumes_where_the_connection_broke
    position, titles, ranges = download(part(200, 0.., sent: 0...20), part(206, 19.., sent: 19...30), part(206, 29..), max_retries: 1)
    assert_equal [7, ["One", "Zwei ä"]], [position, titles]
    assert_equal [[nil, nil], ["bytes=19-", '"7"'], ["bytes=29-", '"7"']], ranges
  end

  def stream(*parts, **options)
    export = patient_client(replying(*parts), **options).first.exports.beats
    [export.map(&:title), export.position]
  end

  def test_an_export_is_read_as_it_arrives_even_over_several_connections
    assert_equal [["One", "Zwei ä"], 7], stream(part(200, 0..))
    cuts = [part(200, 0.., sent: 0...1), part(206, 0.., sent: 0...30), part(206, 29.., sent: 29...50), part(206, 49..)]
    assert_equal [["One", "Zwei ä"], 7], stream(*cuts, max_retries: 1)
  end

  def test_an_export_yields_each_beat_once_or_raises
    error = assert_raises(BeatMarket::APIConnectionError) { stream(part(200, 0.., sent: 0...40), part(200, 0.., position: 8)) }
    assert_match(/newer export/, error.message)
    assert_raises(BeatMarket::RateLimitError) { stream(FULL) }
    assert_raises(BeatMarket::APIConnectionError) { stream(part(200, 0...-9)) }
  end

  def test_an_error_of_the_callers_block_is_raised_and_not_retried
    [IOError, KeyError, BeatMarket::APIConnectionError].each do |type|
      api = replying(part(200, 0..))
      assert_raises(type) { patient_client(api).first.exports.beats.each { raise type, "the caller's own" } }
      assert_equal 1, api.requests.size
    end
    assert_equal ["One"], patient_client(replying(part(200, 0..))).first.exports.beats.first(1).map(&:title)
  end

  def test_an_export_starts_again_if_there_is_a_newer_one
    assert_equal [8, ["One", "Zwei ä"]], download(part(200, 0.., sent: 0...20), part(200, 0.., position: 8)).first(2)
  end

  def test_a_refused_export_raises
    assert_raises(BeatMarket::RateLimitError) { download(FULL) }
  end

  def test_backoff_never_exceeds_eight_seconds
    assert_includes 4.0..8.0, BeatMarket::Retries.backoff(5_000)
  end
end
