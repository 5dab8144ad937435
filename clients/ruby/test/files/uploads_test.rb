# frozen_string_literal: true

require_relative "../test_helper"
require "digest"
require "tmpdir"

# A file arrives completely in spite of any temporary failure.
class UploadsTest < ClientTest
  ID = "upl_0000000000000000000001"
  LOST = ->(socket) { socket.close }

  # Stores the received bytes like the service. `faults` replace responses to tus requests, by the number of the
  # request; `lost` lists requests whose bytes arrive although the response is lost.
  def tus(faults: {}, lost: [], stored: +"", length: nil)
    @stored = stored
    steps = 0
    api do |request|
      next FakeApi.reply({ upload: { id: ID, status: "analysing" } }) unless request.headers.key?("tus-resumable")

      steps += 1
      fault = faults[steps]
      next fault if fault && !lost.include?(steps)

      length ||= request.headers["upload-length"].to_i
      at = request.headers["upload-offset"].to_i
      @stored[at..] = request.body if %w[POST PATCH].include?(request.verb)
      head = { "Upload-Offset" => @stored.bytesize, "Upload-Length" => length, "Location" => "https://other.example/v1/uploads/#{ID}" }
      fault || FakeApi.reply(status: request.verb == "POST" ? 201 : 200, headers: head, body: "")
    end
  end

  def file(text)
    Dir.mktmpdir do |folder|
      path = File.join(folder, "Größe.wav")
      File.binwrite(path, text)
      yield path
    end
  end

  def steps(api)
    api.requests.select { |request| request.headers.key?("tus-resumable") }
       .map { |request| [request.verb, request.headers["upload-offset"]&.to_i, request.body] }
  end

  def test_a_file_of_one_part_is_one_request
    api = tus
    seen = []
    upload = file("abc") { |path| client(api).uploads.upload(path, kind: :audio) { |progress| seen << progress.to_h } }
    sent = api.requests.first
    assert_equal ["POST", "/v1/uploads", "abc"], [sent.verb, sent.target, sent.body]
    assert_equal ["1.0.0", "3", "kind #{["audio"].pack("m0")},filename #{["Größe.wav"].pack("m0")}", "application/offset+octet-stream",
                  "sha256 #{Digest::SHA256.base64digest("abc")}"],
                 sent.headers.values_at("tus-resumable", "upload-length", "upload-metadata", "content-type", "upload-checksum")
    assert_equal [{ upload_id: ID, sent: 3, bytes: 3 }], seen
    assert_equal [ID, "analysing", ["POST", "GET"]], [upload.id, upload.status, api.requests.map(&:verb)]
  end

  def test_an_io_is_read_from_its_start_and_stays_open
    api = tus
    io = StringIO.new("abcdefg")
    io.read(2)
    client(api).uploads.upload(io, kind: "audio", part_bytes: 3)
    assert_equal ["abcdefg", false], [@stored, io.closed?]
    assert_includes api.requests.first.headers["upload-metadata"], "filename #{["audio"].pack("m0")}"
    file("abc") { |path| File.open(path) { |opened| client(tus).uploads.upload(opened, kind: "audio") } }
    assert_equal "abc", @stored
    api = tus(stored: +"abc", length: 7)
    client(api).uploads.resume(ID, io, part_bytes: 3)
    assert_equal "abcdefg", @stored
    error = assert_raises(BeatMarket::BeatMarketError) { client(api).uploads.upload(StringIO.new.tap(&:close), kind: "audio") }
    assert_match(/cannot be read/, error.message)
    reader, writer = IO.pipe
    assert_raises(BeatMarket::BeatMarketError) { client(api).uploads.upload(reader, kind: "audio") }
  ensure
    [reader, writer].compact.each(&:close)
  end

  def test_a_larger_file_is_sent_in_parts_to_the_base_url
    api = tus
    seen = []
    file("abcdefg") do |path|
      client(api).uploads.upload(path, kind: "stems", filename: "x.zip", part_bytes: 3) { |progress| seen << progress.sent }
    end
    assert_equal [["POST", nil, nil], ["PATCH", 0, "abc"], ["PATCH", 3, "def"], ["PATCH", 6, "g"]],
                 steps(api).map { |verb, at, body| [verb, at, (body unless body.empty?)] }
    assert_equal ["/v1/uploads/#{ID}"], api.requests.drop(1).map(&:target).uniq
    assert_equal "sha256 #{Digest::SHA256.base64digest("def")}", api.requests[2].headers["upload-checksum"]
    assert_includes api.requests.first.headers["upload-metadata"], ["x.zip"].pack("m0")
    assert_equal [[0, 3, 6, 7], "abcdefg"], [seen, @stored]
  end

  def test_a_failed_part_resumes_at_the_offset_of_the_service
    locked = FakeApi.error(423, "invalid_request", headers: { "Retry-After" => "3" })
    { LOST => [], locked => [], FakeApi.error(460, "invalid_request") => [], FakeApi.error(503, "server_error") => [3] }.each do |fault, lost|
      api = tus(faults: { 3 => fault }, lost: lost)
      client, waits = patient_client(api)
      file("abcdefg") { |path| client.uploads.upload(path, kind: "audio", part_bytes: 3) }
      asked = [["HEAD", nil]]
      asked << ["PATCH", 3] if lost.empty?
      assert_equal [["POST", nil], ["PATCH", 0], ["PATCH", 3], *asked, ["PATCH", 6]], steps(api).map { |verb, at| [verb, at] }
      assert_equal ["abcdefg", 1], [@stored, waits.size]
      assert_equal [3], waits if fault == locked
    end
  end

  def test_each_part_has_at_least_five_retries
    # Step 2 is the first part, 3 to 7 request the offset, 8 returns it, and 9 is the next part.
    faults = [*2..6, *9..13].to_h { |step| [step, LOST] }
    client, waits = patient_client(tus(faults: faults), max_retries: 1)
    file("abcdefg") { |path| client.uploads.upload(path, kind: "audio", part_bytes: 6) }
    assert_equal ["abcdefg", 10], [@stored, waits.size]

    client, waits = patient_client(tus(faults: (2..8).to_h { |step| [step, LOST] }), max_retries: 1)
    assert_raises(BeatMarket::APIConnectionError) { file("abcdefg") { |path| client.uploads.upload(path, kind: "audio", part_bytes: 6) } }
    assert_equal 5, waits.size
  end

  def test_max_retries_zero_also_holds_for_parts
    api = tus(faults: { 2 => LOST })
    assert_raises(BeatMarket::APIConnectionError) do
      file("abcdefg") { |path| client(api, max_retries: 0).uploads.upload(path, kind: "audio", part_bytes: 3) }
    end
    assert_equal 2, api.requests.size
  end

  def test_status_507_is_not_retried
    client, waits = patient_client(tus(faults: { 2 => FakeApi.error(507, "server_error") }))
    assert_raises(BeatMarket::ServerError) { file("abcd") { |path| client.uploads.upload(path, kind: "audio", part_bytes: 3) } }
    assert_empty waits
  end

  def test_a_later_process_sends_the_rest
    api = tus(stored: +"abc", length: 7)
    seen = []
    file("abcdefg") { |path| client(api).uploads.resume(ID, path, part_bytes: 3) { |progress| seen << progress.sent } }
    assert_equal [["HEAD", nil], ["PATCH", 3], ["PATCH", 6]], steps(api).map { |verb, at| [verb, at] }
    assert_equal [[3, 6, 7], "abcdefg"], [seen, @stored]
  end

  def test_another_file_is_refused_before_any_byte
    api = tus(stored: +"abc", length: 7)
    error = assert_raises(BeatMarket::BeatMarketError) { file("abcd") { |path| client(api).uploads.resume(ID, path) } }
    assert_match(/4 bytes.* 7: resume it with the same file/, error.message)
    assert_equal ["HEAD"], api.requests.map(&:verb)
  end

  def test_resuming_a_deleted_upload_raises_with_the_reason
    api = api { |request| request.verb == "HEAD" ? "HTTP/1.1 404 N\r\nContent-Length: 9\r\n\r\n" : FakeApi.error(404, "not_found") }
    error = assert_raises(BeatMarket::NotFoundError) { file("abcd") { |path| client(api).uploads.resume(ID, path) } }
    assert_equal "Long.", error.details
  end

  def test_an_upload_raises_if_the_file_becomes_shorter
    error = assert_raises(BeatMarket::BeatMarketError) do
      file("abcdefg") { |path| client(tus).uploads.upload(path, kind: "audio", part_bytes: 3) { File.truncate(path, 4) } }
    end
    assert_match(/became shorter/, error.message)
  end

  def test_an_unreadable_file_and_an_invalid_part_size_are_refused_before_any_request
    api = tus
    ["/nowhere/a.wav", Dir.tmpdir].each do |path|
      assert_match(/cannot be read/, assert_raises(BeatMarket::BeatMarketError) { client(api).uploads.upload(path, kind: "audio") }.message)
    end
    [0, nil, 1.5].each { |size| assert_raises(BeatMarket::BeatMarketError) { client(api).uploads.resume(ID, __FILE__, part_bytes: size) } }
    assert_empty api.requests
  end

  def test_the_timeout_of_a_part_grows_with_its_bytes
    timeouts = []
    client = client(tus, timeout: 2)
    connections = client.instance_variable_get(:@transport).connections
    connections.define_singleton_method(:exchange) { |request, timeout, *rest| timeouts << timeout and super(request, timeout, *rest) }
    file("x" * 128_000) { |path| client.uploads.upload(path, kind: "audio", part_bytes: 64_000) }
    assert_equal [2, 3, 3, 2], timeouts
  end

  def waiting(*uploads)
    api { |_, count| FakeApi.reply({ upload: { id: ID, **uploads.fetch(count - 1) } }) }
  end

  def test_waits_until_an_upload_is_ready
    client, waits = patient_client(waiting(*[{ status: "analysing" }] * 5, { status: "ready", analysis: { bpm: 92.5 } }))
    assert_equal [92.5, [1, 2, 4, 8, 8]], [client.uploads.wait(ID).analysis.bpm, waits]
  end

  def test_a_rejected_upload_raises_with_the_reason
    client = client(waiting({ status: "rejected", rejection: "This is no audio." }))
    error = assert_raises(BeatMarket::UploadRejectedError) { client.uploads.wait(ID) }
    assert_equal ["This is no audio.", ID], [error.message, error.upload.id]
  end

  def test_waiting_ends_with_its_timeout
    client, waits = patient_client(waiting({ status: "analysing" }))
    error = assert_raises(BeatMarket::APITimeoutError) { client.uploads.wait(ID, timeout: 0) }
    assert_equal ["The upload #{ID} is analysing after 0 s", []], [error.message, waits]
    client, waits = patient_client(waiting({ status: "receiving" }, { status: "ready" }))
    client.uploads.wait(ID, timeout: 0.5)
    assert_operator waits.sum, :<=, 0.5
  end

  def test_uploads_are_listed_retried_and_deleted
    api = api do |request|
      next FakeApi.reply(status: 204, body: "") if request.verb == "DELETE"

      FakeApi.reply({ upload: { id: ID }, uploads: [{ id: ID }], pagination: { total: 1 } })
    end
    uploads = client(api).uploads
    assert_equal [[ID], ID, nil], [uploads.list(limit: 1).map(&:id), uploads.retry(ID).id, uploads.delete(ID)]
    assert_equal [["GET", "/v1/uploads?limit=1"], ["POST", "/v1/uploads/#{ID}/retry"], ["DELETE", "/v1/uploads/#{ID}"]],
                 api.requests.map { |request| [request.verb, request.target] }
  end
end
