# frozen_string_literal: true

require_relative "../test_helper"
require "digest"
require "logger"
require "stringio"
require "tmpdir"

# A file of an order is saved completely or not at all, in spite of any temporary failure.
class DownloadsTest < ClientTest
  BYTES = "The bytes of a beat."

  def setup
    @folder = Dir.mktmpdir
    @path = "#{@folder}/beat.wav"
    @progress = []
    @replies = []
    @api = api { @replies.shift || FakeApi.error(404, "not_found") }
  end

  def teardown
    super
    FileUtils.rm_r(@folder)
  end

  def file(kind: "wav", bytes: BYTES, filename: "Größe.wav", signature: "s1")
    { kind: kind, filename: filename, bytes: bytes.bytesize, sha256: Digest::SHA256.hexdigest(bytes), expires_at: "2026-11-22T12:15:00Z",
      url: "http://127.0.0.1:#{@api.port}/downloads/3/#{kind}?signature=#{signature}" }
  end

  # Replies with a listing of these files, and then with these responses.
  def answers(files, *replies)
    license = { id: "l", url: "u", jws: "j", type: "premium", terms_version: "t", status: files.empty? ? "refunded" : "valid" }
    @replies.push(FakeApi.reply({ files: files, license: license }), *replies)
  end

  def lists(*replies, signature: "s1") = answers([file(signature: signature)], *replies)

  # Some bytes of a file, as a range unless they begin at 0. Cut off after +sent+ bytes.
  def part(from, status: from.zero? ? 200 : 206, bytes: BYTES, sent: nil)
    body = bytes.byteslice(from..)
    range = "Content-Range: bytes #{from}-#{bytes.bytesize - 1}/#{bytes.bytesize}\r\n" if status == 206
    lambda do |socket|
      socket.write("HTTP/1.1 #{status} X\r\nContent-Length: #{body.bytesize}\r\n#{range}\r\n", body.byteslice(0, sent || body.bytesize))
      socket.close if sent
    end
  end

  def download(kind = "wav", path = @path, **options)
    client, @waits = patient_client(@api, **options)
    client.orders.download(3, kind, path) { |reached| @progress << reached.to_a }
  end

  def names = Dir.children(@folder).sort
  def ranges = @api.requests.map { |request| request.headers["range"] }

  def test_a_file_is_fetched_by_its_link_and_without_the_key
    lists(part(0))
    log = StringIO.new
    file = download(logger: Logger.new(log))
    assert_equal ["wav", "Größe.wav", 20, Digest::SHA256.hexdigest(BYTES), @path], file.to_a
    assert_equal [BYTES, ["beat.wav"]], [File.read(@path), names]
    assert_equal [["wav", 0, 20], ["wav", 20, 20]], @progress
    listing, link = @api.requests
    assert_equal ["/v1/orders/3/files", "Bearer #{KEY}"], [listing.target, listing.headers["authorization"]]
    assert_equal ["GET", "/downloads/3/wav?signature=s1"], [link.verb, link.target]
    assert_equal ["identity", nil, nil], link.headers.values_at("accept-encoding", "authorization", "range")
    assert_includes log.string, "/downloads/3/wav"
    refute_includes log.string, "signature"
  end

  def test_a_download_resumes_where_the_connection_broke
    lists(part(0, sent: 7), part(7, sent: 4), part(11))
    download(max_retries: 1)
    assert_equal BYTES, File.read(@path)
    assert_equal [nil, nil, "bytes=7-", "bytes=11-"], ranges
    assert_equal [[0, 7, 11, 20], 2], [@progress.map { |reached| reached[1] }, @waits.size]
  end

  def test_a_download_starts_again_if_the_service_sends_the_whole_file
    lists(part(0, sent: 7), part(0))
    download
    assert_equal BYTES, File.read(@path)
  end

  def test_a_range_with_another_start_is_not_appended
    File.write("#{@path}.part", "The")
    lists(part(0, status: 206))
    error = assert_raises(BeatMarket::APIConnectionError) { download(max_retries: 0) }
    assert_includes error.message, "bytes 0-19/20"
    assert_equal "The", File.read("#{@path}.part")
  end

  def test_a_later_call_resumes_the_part_of_a_failed_call
    lists(part(0, sent: 7))
    assert_raises(BeatMarket::APIConnectionError) { download(max_retries: 0) }
    assert_equal ["beat.wav.part"], names
    lists(part(7))
    download(max_retries: 0)
    assert_equal [BYTES, ["beat.wav"]], [File.read(@path), names]
    assert_equal [0, 7, 7, 20], @progress.map { |reached| reached[1] }
  end

  def test_a_part_that_is_longer_than_the_file_is_downloaded_again
    File.write("#{@path}.part", "#{BYTES}more")
    lists(part(0))
    download
    assert_equal [BYTES, [nil, nil]], [File.read(@path), ranges]
  end

  def test_a_complete_part_or_file_is_not_downloaded_again
    File.write("#{@path}.part", BYTES)
    lists
    download
    lists
    assert_equal @path, download.path
    assert_equal [BYTES, ["beat.wav"], 2], [File.read(@path), names, @api.requests.size]
    assert_equal [["wav", 20, 20]] * 2, @progress
  end

  def test_bytes_with_another_checksum_are_deleted_and_the_old_file_stays
    File.write(@path, "an older file")
    lists(part(0, bytes: BYTES.reverse))
    error = assert_raises(BeatMarket::ChecksumError) { download }
    hashes = [BYTES.reverse, BYTES].map { |bytes| Digest::SHA256.hexdigest(bytes) }.join(", not ")
    assert_equal "The file wav of order 3 came with other bytes than the service lists (SHA-256 #{hashes}) and was deleted; download it again.",
                 error.message
    assert_equal ["an older file", ["beat.wav"]], [File.read(@path), names]
  end

  def test_more_bytes_than_the_file_has_are_deleted
    lists(part(0, bytes: "#{BYTES}x"))
    error = assert_raises(BeatMarket::ChecksumError) { download }
    assert_includes error.message, "(more than 20 bytes)"
    assert_empty names
  end

  def test_a_part_with_other_bytes_is_downloaded_again_once
    File.write("#{@path}.part", "Others")
    lists(part(6), part(0))
    download
    assert_equal [BYTES, ["beat.wav"]], [File.read(@path), names]

    File.rename(@path, "#{@path}.part")
    File.write("#{@path}.part", "Others")
    lists(part(6), part(0, bytes: BYTES.reverse))
    assert_raises(BeatMarket::ChecksumError) { download }
    assert_empty names
  end

  def test_an_expired_link_is_replaced_by_a_new_one
    lists(part(0, sent: 7), FakeApi.error(410, "not_found"))
    lists(part(7), signature: "s2")
    download
    assert_equal BYTES, File.read(@path)
    assert_equal %w[/downloads/3/wav?signature=s1 /v1/orders/3/files /downloads/3/wav?signature=s2], @api.requests.map(&:target).drop(2)
  end

  def test_a_download_raises_if_the_new_link_is_also_gone
    2.times { lists(FakeApi.error(410, "not_found")) }
    assert_raises(BeatMarket::GoneError) { download }
  end

  def test_a_download_raises_with_the_reason_if_the_order_is_refunded_before_it_ends
    lists(FakeApi.error(410, "not_found"))
    answers([])
    error = assert_raises(BeatMarket::BeatMarketError) { download }
    assert_equal "The order 3 has no files: its license is refunded.", error.message
  end

  def redirect(location) = FakeApi.reply(status: 302, headers: { "Location" => location })

  def test_a_redirect_is_followed_to_another_host_without_the_key
    File.write("#{@path}.part", "The bytes")
    storage = api { part(9) }
    lists(redirect("http://localhost:#{storage.port}/bucket/x?X-Amz-Signature=y"))
    log = StringIO.new
    download(logger: Logger.new(log))
    seen = storage.requests.first
    assert_equal ["/bucket/x?X-Amz-Signature=y", "bytes=9-"], [seen.target, seen.headers["range"]]
    refute_includes seen.headers.to_s, KEY
    refute_includes log.string, "X-Amz-Signature"
    assert_equal BYTES, File.read(@path)
  end

  def test_an_insecure_or_invalid_redirect_is_not_followed
    ["http://storage.example/x", "ftp://storage.example/x", "https://me:you@storage.example/x", "", "no address"].each do |location|
      lists(redirect(location))
      assert_equal 302, assert_raises(BeatMarket::APIStatusError, location) { download }.status
    end
  end

  def test_at_most_five_redirects_are_followed
    lists(*Array.new(6) { |count| redirect("/downloads/#{count}") })
    assert_equal 302, assert_raises(BeatMarket::APIStatusError) { download }.status
    assert_equal [7, "/downloads/4"], [@api.requests.size, @api.requests.last.target]
  end

  def test_a_download_waits_until_the_files_are_created
    @replies.push(*[FakeApi.error(503, "server_error", headers: { "Retry-After" => 7 })] * 2)
    lists(part(0))
    download
    assert_equal [[7, 7], BYTES], [@waits, File.read(@path)]

    @replies << FakeApi.error(503, "server_error", headers: { "Retry-After" => 7 })
    assert_raises(BeatMarket::ServerError) { client(@api, max_retries: 0).orders.files(3) }
  end

  def test_listing_files_has_ten_seconds_more_than_the_timeout
    timeouts = []
    client = client(@api, timeout: 2)
    connections = client.instance_variable_get(:@transport).connections
    connections.define_singleton_method(:exchange) { |request, timeout, *rest| timeouts << timeout and super(request, timeout, *rest) }
    lists
    client.orders.files(3)
    assert_equal [12], timeouts
  end

  def test_files_with_fields_of_another_type_are_listed_but_not_downloaded
    @replies.push(*[FakeApi.reply({ files: [nil, { kind: "wav", bytes: "20" }], license: nil })] * 2)
    listed = client(@api).orders.files(3)
    assert_equal [nil, "20", nil, nil], [listed.files[0], listed.files[1].bytes, listed.files[1].url, listed.license]
    assert_match(/\AThe order 3 lists its wav in an unknown form/, assert_raises(BeatMarket::BeatMarketError) { download }.message)
  end

  def test_an_order_that_is_not_completed_is_not_retried
    @replies << FakeApi.error(409, "invalid_request")
    assert_raises(BeatMarket::InvalidRequestError) { download }
  end

  def test_a_download_raises_for_an_absent_kind_and_an_unwritable_path
    {
      ["stems", @path] => "The order 3 has no stems; it has wav.",
      ["wav", @folder] => "#{@folder} is a folder: name a file in it",
      ["wav", "#{@folder}/none/x"] => %r{\AThe file #{@folder}/none/x cannot be written: No such file}
    }.each do |arguments, message|
      lists
      error = assert_raises(BeatMarket::BeatMarketError) { download(*arguments) }
      assert_operator message, :===, error.message
    end
    assert_empty names
  end

  def test_an_error_of_the_block_ends_the_download
    [IOError, ArgumentError].each do |type|
      lists(part(0))
      assert_raises(type) { client(@api).orders.download(3, "wav", @path) { |reached| raise type if reached.received.positive? } }
      @replies.clear
      File.delete("#{@path}.part")
    end
  end

  def test_all_files_of_an_order_go_to_one_folder
    answers([file(kind: "mp3", bytes: "mp3", filename: "../../Ä:B.mp3"), file(bytes: "wav", filename: "../../ä:b.MP3"),
             file(kind: "license", bytes: "pdf", filename: " .. ")], *%w[mp3 wav pdf].map { |bytes| part(0, bytes: bytes) })
    stored = client(@api).orders.download_all(3, "#{@folder}/new")
    assert_equal ["_.._Ä_B.mp3", "wav _.._ä_b.MP3", "license"], stored.map { |file| file.path.delete_prefix("#{@folder}/new/") }
    assert_equal %w[mp3 wav pdf], stored.map { |file| File.read(file.path) }

    answers([])
    error = assert_raises(BeatMarket::BeatMarketError) { client(@api).orders.download_all(3, @folder) }
    assert_equal "The order 3 has no files: its license is refunded.", error.message
  end

  def test_names_of_files_are_made_safe
    {
      "水曜日の庭 - 青い高速道路 (basic).mp3" => "水曜日の庭 - 青い高速道路 (basic).mp3",
      "/etc/passwd" => "_etc_passwd",
      "..\\..\\x" => "_.._x",
      "a\0b\nc\u0085d\u202ee\u2066f" => "a_b_c_d_e_f",
      'C:*?"<>|' => "C_______",
      " . name. " => "name",
      ".." => "mp3",
      "" => "mp3",
      "CON" => "_CON",
      "lpt1.txt" => "_lpt1.txt",
      "console.txt" => "console.txt",
      "#{"x" * 300}.mp3" => "#{"x" * 196}.mp3",
      "#{"é" * 150}.mp3" => "#{"é" * 98}.mp3",
      "x#{"é" * 150}.mp3" => "x#{"é" * 97}.mp3",
      "#{"x" * 199}.#{"y" * 11}" => "#{"x" * 199}."
    }.each { |name, safe| assert_equal safe, BeatMarket::FileName.safe(name, "mp3") }
  end
end
