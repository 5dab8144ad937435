# frozen_string_literal: true

require "json"
require "socket"

# An HTTP server on the loopback interface. Its block gets each request and returns a response made by {#reply}, or a
# Proc that gets the socket. Records the requests.
class FakeApi
  Request = Struct.new(:verb, :target, :headers, :body, :connection, keyword_init: true)

  attr_reader :requests, :port

  def initialize(&handler)
    @handler = handler
    @requests = []
    @lock = Mutex.new
    @server = TCPServer.new("127.0.0.1", 0)
    @port = @server.addr[1]
    @threads = [Thread.new { accept }]
  end

  def base_url = "http://127.0.0.1:#{port}/v1"

  def connections = requests.map(&:connection).uniq.size

  def close
    @server.close
    @threads.each(&:kill).each(&:join)
  end

  # A successful response with +data+, or any response with +body+.
  def self.reply(data = {}, status: 200, headers: {}, body: JSON.generate(status: "success", data: data))
    lines = headers.map { |name, value| "#{name}: #{value}\r\n" }.join
    "HTTP/1.1 #{status} Some Reason\r\nContent-Length: #{body.bytesize}\r\n#{lines}\r\n#{body}"
  end

  def self.error(status, code, headers: {}, message: "Short", details: "Long.")
    body = JSON.generate(status: "error", error: { code: code, message: message, details: details })
    reply(status: status, headers: { "X-Request-Id" => "req-1", **headers }, body: body)
  end

  def self.page(ids, number, last, next_page_url)
    pagination = {
      total: 99, per_page: 2, current_page: number, last_page: last, next_page_url: next_page_url, prev_page_url: nil
    }
    reply({ beats: ids.map { |id| { id: id } }, pagination: pagination })
  end

  private

  def accept
    loop do
      socket = @server.accept
      number = (@accepted = @accepted.to_i + 1)
      @threads << Thread.new { serve(socket, number) }
    end
  rescue IOError, SystemCallError
    nil # closed
  end

  def serve(socket, number)
    while (request = read(socket, number))
      count = @lock.synchronize { @requests.push(request).size }
      response = @handler.call(request, count)
      response.is_a?(Proc) ? response.call(socket) : socket.write(response)
      break if socket.closed?
    end
  rescue IOError, SystemCallError
    nil # the client has closed the connection
  ensure
    socket.close
  end

  def read(socket, number)
    verb, target = socket.gets&.split(" ")
    return unless verb

    headers = {}
    while (line = socket.gets("\r\n", chomp: true)) && !line.empty?
      name, value = line.split(": ", 2)
      headers[name.downcase] = value
    end
    body = socket.read(headers["content-length"].to_i)
    Request.new(verb: verb, target: target, headers: headers, body: body, connection: number)
  end
end
