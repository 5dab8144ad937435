# frozen_string_literal: true

require_relative "../test_helper"
require "openssl"
require "tempfile"
require "timeout"

class ConnectionsTest < ClientTest
  def beat_api = api { |request| FakeApi.reply({ beat: { id: request.target[%r{beats/(\d+)}, 1].to_i } }) }

  def with_environment(**variables)
    names = %w[http_proxy https_proxy no_proxy HTTPS_PROXY HTTP_PROXY NO_PROXY]
    before = names.to_h { |name| [name, ENV.fetch(name, nil)] }
    names.each { |name| ENV.delete(name) }
    ENV.update(variables.transform_keys(&:to_s))
    yield
  ensure
    ENV.update(before)
  end

  # Yields a proxy's address, and a call of a client with these options. Returns the first line that the proxy receives.
  def asked_of_proxy(**options)
    proxy = TCPServer.new("127.0.0.1", 0)
    asked = Thread.new { proxy.accept.then { |socket| [socket.gets, socket.close].first } }
    address = "http://user:p%40ss@127.0.0.1:#{proxy.addr[1]}"
    yield address, lambda { |**more|
      client = BeatMarket::Client.new(api_key: KEY, base_url: "https://api.example.invalid/v1", max_retries: 0, **options, **more)
      assert_raises(BeatMarket::APIConnectionError) { client.genres.list }
    }
    asked.join(5)&.value
  ensure
    asked&.kill
    proxy&.close
  end

  CONNECT = "CONNECT api.example.invalid:443 HTTP/1.1\r\n"

  def test_https_uses_the_proxy_of_https_proxy
    assert_equal(CONNECT, asked_of_proxy { |address, call| with_environment(https_proxy: address) { call.call } })
  end

  def test_the_proxy_argument_overrides_the_environment
    used = asked_of_proxy { |address, call| with_environment(https_proxy: "http://127.0.0.1:1", no_proxy: "*") { call.call(proxy: address) } }
    assert_equal CONNECT, used
    with_environment(https_proxy: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1") do
      assert_equal 7, client(beat_api, proxy: false).beats.get(7).id
    end
  end

  def test_an_adapter_sends_in_place_of_net_http
    seen = []
    adapter = lambda do |**call|
      seen << call
      body = call[:method] == "POST" ? { order: { id: 3 } } : { beat: { id: 7 } }
      [200, { "X-Request-Id" => "req-1" }, [JSON.generate(status: "success", data: body)]]
    end
    client = BeatMarket::Client.new(api_key: KEY, base_url: "https://api.example.invalid/v1", adapter: adapter)
    beat = client.beats.get(7)
    assert_equal [7, "req-1"], [beat.id, beat.response.request_id]
    assert_equal 3, client.orders.create(beat_id: 7, payment_method: "pm").id
    assert_equal [["GET", "https://api.example.invalid/v1/beats/7", nil], ["POST", "https://api.example.invalid/v1/orders", '{"beat_id":7,"payment_method":"pm"}']],
                 seen.map { |call| call.values_at(:method, :url, :body) }
    assert_equal ["Bearer #{KEY}", nil], seen.first[:headers].values_at("authorization", "accept-encoding")
  end

  def test_an_adapter_has_the_errors_downloads_and_timeout_of_the_client
    export = StringIO.new("".b).tap { |io| Zlib::GzipWriter.wrap(io) { |gzip| gzip.write("{\"id\":1}\n{\"id\":2}\n") } }.string
    answers = [
      -> { raise Errno::ECONNRESET }, -> { [200, { "etag" => '"1"', "x-change-position" => "9" }, export.scan(/.{1,9}/mn)] },
      -> { [404, {}, [JSON.generate(status: "error", error: { code: "not_found", message: "Not found" })]] }, -> { sleep }
    ]
    client = BeatMarket::Client.new(api_key: KEY, base_url: "https://api.example.invalid/v1", timeout: 0.2, max_retries: 0, adapter: ->(**) { answers.shift.call })
    assert_raises(BeatMarket::APIConnectionError) { client.beats.get(1) }
    assert_equal [1, 2], client.exports.beats.map(&:id)
    assert_raises(BeatMarket::NotFoundError) { client.beats.get(1) }
    assert_raises(BeatMarket::APITimeoutError) { client.beats.get(1) }
  end

  # An error like that of Faraday or http.rb, which is not an error of the standard library.
  class LibraryError < StandardError; end

  # A body like Rack's, which must be closed.
  class RackBody
    attr_reader :closings

    def initialize(*parts, failure: nil)
      @parts = parts
      @failure = failure
      @closings = 0
    end

    def each(&)
      @parts.each(&)
      raise @failure if @failure
    end

    def close = @closings += 1
  end

  # A client whose attempts the given blocks answer, one after the other.
  def adapted(*answers, **options)
    BeatMarket::Client.new(api_key: KEY, base_url: "https://api.example.invalid/v1", adapter: ->(**) { answers.shift.call }, **options)
  end

  def test_an_error_of_an_adapters_library_is_retried_like_a_connection_error
    beat = JSON.generate(status: "success", data: { beat: { id: 7 } })
    broken = RackBody.new(beat[0, 9], failure: LibraryError.new("reset"))
    client = adapted(-> { raise LibraryError, "refused" }, -> { [200, {}, broken] }, -> { [200, {}, [beat]] })
    client.instance_variable_get(:@transport).define_singleton_method(:sleep) { |_| nil }
    assert_equal [7, 1], [client.beats.get(7).id, broken.closings]
    error = assert_raises(BeatMarket::APIConnectionError) { adapted(-> { raise LibraryError, "refused" }, max_retries: 0).beats.get(7) }
    assert_match(/refused/, error.message)
    assert_kind_of LibraryError, error.cause.cause
  end

  def test_the_body_of_an_adapter_is_closed_once
    lines = StringIO.new("".b).tap { |io| Zlib::GzipWriter.wrap(io) { |gzip| gzip.write("{\"id\":1}\n") } }.string
    bodies = [RackBody.new('{"status":"error","error":{"code":"not_found","message":"Not found"}}'), RackBody.new(lines), RackBody.new(lines)]
    statuses = [404, 200, 200]
    client = adapted(*bodies.zip(statuses).map { |body, status| -> { [status, { "x-change-position" => "9" }, body] } })
    assert_raises(BeatMarket::NotFoundError) { client.beats.get(1) }
    assert_equal [1], client.exports.beats.map(&:id)
    assert_raises(KeyError) { client.exports.beats.each { raise KeyError, "of the caller" } }
    assert_equal [1, 1, 1], bodies.map(&:closings)
  end

  def test_sequential_calls_share_one_connection
    api = beat_api
    client = client(api)
    5.times { |id| client.beats.get(id) }
    client.close
    client.beats.get(9)
    assert_equal 2, api.connections
  end

  def test_threads_get_their_own_responses
    api = beat_api
    client = client(api)
    ids = Array.new(8) { |thread| Thread.new { Array.new(20) { |call| client.beats.get(thread * 100 + call).id } } }.map(&:value)
    assert_equal Array.new(8) { |thread| Array.new(20) { |call| thread * 100 + call } }, ids
    assert_operator api.connections, :<=, 8
  end

  def test_a_fork_opens_its_own_connections
    api = beat_api
    client = client(api)
    client.beats.get(1)
    reader, writer = IO.pipe
    child = fork do
      writer.write(client.with(timeout: 5).beats.get(2).id)
      exit!(0)
    end
    Process.wait(child)
    writer.close
    assert_equal ["2", 3], [reader.read, client.beats.get(3).id]
    assert_equal 2, api.connections
  end

  # Faults of the server, in place of a response.
  STALLS = {
    "before the headers" => ->(_) { sleep },
    "within the headers" => ->(socket) { socket.write("HTTP/1.1 200 OK\r\nContent-Le") && sleep },
    "within the body" => ->(socket) { socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{") && sleep },
    "byte by byte in the headers" => ->(socket) { socket.write("HTTP/1.1 200 OK\r\nX: ") && loop { socket.write("x") && sleep(0.05) } },
    "byte by byte in the body" => lambda { |socket|
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      loop { socket.write("x") && sleep(0.05) }
    }
  }.freeze

  STALLS.each do |where, stall|
    define_method(:"test_an_answer_that_stalls_#{where}_is_a_timeout") do
      api = api { stall }
      error = assert_raises(BeatMarket::APITimeoutError) { client(api, timeout: 0.2, max_retries: 0).genres.list }
      assert_match(/0.2 s/, error.message)
      assert_equal 1, api.requests.size
    end
  end

  def test_a_timeout_is_retried_on_a_new_connection
    api = api { |_, count| count == 1 ? ->(_) { sleep } : FakeApi.reply({ genres: [] }) }
    client, waits = patient_client(api, timeout: 0.2)
    client.genres.list
    assert_equal [1, 2], [waits.size, api.connections]
  end

  def test_a_timeout_by_the_caller_does_not_mix_up_responses
    api = api { |request, count| count == 1 ? ->(_) { sleep } : FakeApi.reply({ beat: { id: request.target[/\d+\z/].to_i } }) }
    client = client(api)
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { client.beats.get(1) } }
    assert_equal [2, 2], [client.beats.get(2).id, api.connections]
  end

  def test_a_timeout_by_the_caller_is_not_an_api_timeout_error
    api = api { ->(_) { sleep } }
    outer = Class.new(StandardError)
    assert_raises(outer) { Timeout.timeout(0.1, outer) { client(api).genres.list } }
    assert_raises(Timeout::Error) { Timeout.timeout(0.1) { client(api).genres.list } }
    assert_equal 2, api.requests.size
  end

  def test_concurrent_time_limits_expire_on_time
    limit = BeatMarket::TimeLimit.new
    assert_equal 3, limit.within(30) { 3 }
    late = Array.new(4) { |number| Thread.new { limit.within(0.05 * (number + 1)) { sleep } rescue $!.class } }
    assert_equal [Timeout::Error] * 4, late.map(&:value)
    assert_raises(KeyError) { limit.within(30) { raise KeyError } }
  end

  def test_a_refused_connection_keeps_its_cause
    port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    client = BeatMarket::Client.new(api_key: KEY, base_url: "http://127.0.0.1:#{port}/v1", max_retries: 0)
    error = assert_raises(BeatMarket::APIConnectionError) { client.genres.list }
    assert_instance_of Errno::ECONNREFUSED, error.cause
  end

  def test_a_response_that_is_not_http_is_a_connection_error
    api = api { ->(socket) { socket.write("SSH-2.0-x\r\n\r\n") && socket.close } }
    error = assert_raises(BeatMarket::APIConnectionError) { client(api, max_retries: 0).genres.list }
    assert_kind_of Net::HTTPBadResponse, error.cause
  end

  def test_a_certificate_must_be_trusted_for_the_host_name
    authority = certificate("authority", nil)
    own, other = %w[localhost elsewhere].map { |name| certificate(name, authority) }
    expired = certificate("localhost", authority, ends: -30)
    tls(own, authority) { |client| assert_equal 200, client.genres.list.response.status }
    [[own, nil], [other, authority], [own, certificate("authority", nil)], [expired, authority]].each do |server, trusted|
      connections = tls(server, trusted) do |client|
        error = assert_raises(BeatMarket::APIConnectionError) { client.genres.list }
        assert_kind_of OpenSSL::SSL::SSLError, error.cause
        assert_match(/\AThe certificate of https:.*ca_file/, error.message)
      end
      assert_equal 1, connections.size
    end
  end

  # Calls and GC of a child must not end the parent's TLS session, nor may two processes write into one.
  def test_a_pool_of_forked_processes_opens_its_own_tls_connections
    authority = certificate("authority", nil)
    connections = tls(certificate("localhost", authority), authority) do |client|
      client.request("GET", "/parent")
      children = Array.new(4) { |child| forked { Array.new(5) { client.request("GET", "/child-#{child}").body["data"]["target"] } } }
      assert_equal Array.new(4) { |child| ["/v1/child-#{child}"] * 5 }, children.map { |pipe| JSON.parse(pipe.read) }
      assert_equal "/v1/parent", client.request("GET", "/parent").body["data"]["target"]
    end
    assert_equal [*Array.new(4) { |child| ["/v1/child-#{child}"] * 5 }, ["/v1/parent"] * 2], connections.sort
  end

  private

  # Runs the block in a forked process. Returns a pipe with its result as JSON.
  def forked
    reader, writer = IO.pipe
    pid = fork do
      writer.write(JSON.generate(yield))
      GC.start
      exit!(0)
    end
    writer.close
    Process.detach(pid)
    reader
  end

  def certificate(name, issuer, ends: 3600)
    key = OpenSSL::PKey::EC.generate("prime256v1")
    made = OpenSSL::X509::Certificate.new
    made.version = 2
    made.serial = rand(1 << 60)
    made.subject = OpenSSL::X509::Name.new([["CN", name]])
    made.issuer = issuer ? issuer.first.subject : made.subject
    made.public_key = key
    made.not_before = Time.now - 60
    made.not_after = Time.now + ends
    made.add_extension(OpenSSL::X509::ExtensionFactory.new.create_extension("basicConstraints", issuer ? "CA:FALSE" : "CA:TRUE", true))
    made.add_extension(OpenSSL::X509::ExtensionFactory.new.create_extension("subjectAltName", "DNS:#{name}")) if issuer
    made.sign(issuer ? issuer.last : key, "SHA256")
    [made, key]
  end

  # Yields a client of a TLS server with this certificate. It trusts this authority. Returns the targets by connection.
  def tls(server, authority)
    context = OpenSSL::SSL::SSLContext.new
    context.add_certificate(server.first, server.last)
    tcp = TCPServer.new("127.0.0.1", 0)
    connections = []
    accepting = Thread.new { loop { tcp.accept.then { |socket| Thread.new { serve_tls(socket, context, (connections << []).last) } } } }
    Tempfile.create("ca.pem") do |file|
      file.write(authority.first.to_pem) if authority
      file.close
      settings = { base_url: "https://localhost:#{tcp.addr[1]}/v1", ca_file: (file.path if authority), timeout: 5 }
      yield BeatMarket::Client.new(api_key: KEY, **settings)
    end
    connections
  ensure
    accepting&.kill
    tcp&.close
  end

  def serve_tls(tcp, context, targets)
    socket = OpenSSL::SSL::SSLSocket.new(tcp, context).tap { |secured| secured.sync_close = true }.accept
    while (head = socket.gets("\r\n\r\n"))
      targets << head[/ (\S+)/, 1]
      socket.write(FakeApi.reply({ genres: [], target: targets.last }))
    end
  rescue OpenSSL::SSL::SSLError, SystemCallError
    nil # the client closed the connection
  end
end
