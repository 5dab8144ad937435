# frozen_string_literal: true

require_relative "../test_helper"
require "logger"
require "pp"
require "stringio"
require "yaml"

class SecretsTest < ClientTest
  # Everything reachable through instance variables, as tools that dump objects see it.
  def reachable(object, seen = {}.compare_by_identity)
    return [] if seen[object]

    seen[object] = true
    parts = object.instance_variables.map { |name| object.instance_variable_get(name) }
    parts.concat(object.to_a.flatten) if object.is_a?(Array) || object.is_a?(Hash) || object.is_a?(Struct)
    [object.inspect, *parts.flat_map { |part| reachable(part, seen) }]
  end

  def test_dumps_of_a_client_do_not_show_the_key
    client = client(api { FakeApi.reply({ genres: [] }) })
    genres = client.genres.list
    [client, client.beats, client.with(timeout: 1), genres, genres.response].each do |part|
      shown = [part.inspect, part.to_s, part.pretty_inspect, JSON.generate(part), "#{part}", *reachable(part)]
      refute_match(/#{KEY}/, shown.join("\n"))
    end
    assert_raises(TypeError) { Marshal.dump(client) }
    refute_match(/#{KEY}/, (YAML.dump(client) rescue ""))
  end

  def test_errors_do_not_show_the_key
    replies = [FakeApi.error(401, "unauthorized"), ->(socket) { socket.close }, ->(socket) { socket.write("x\r\n\r\n") && socket.close }]
    api = api { |_, count| replies[count - 1] }
    replies.each do
      error = assert_raises(BeatMarket::BeatMarketError) { client(api, max_retries: 0).genres.list }
      refute_match(/#{KEY}/, [error.full_message, error.inspect, *reachable(error), *reachable(error.cause)].join)
    end
  end

  def test_logs_each_attempt_without_keys_and_bodies
    log = StringIO.new
    api = api { |_, count| count == 1 ? FakeApi.error(503, "server_error", headers: { "Retry-After" => 0 }) : FakeApi.reply({ order: { id: 1 } }) }
    client(api, logger: Logger.new(log)).orders.create(beat_id: 1, payment_method: "pm_private", idempotency_key: "idem-private")
    assert_match(%r{DEBUG -- beatmarket: POST /v1/orders 503 \d+ ms request_id=req-1}, log.string)
    assert_match(%r{WARN -- beatmarket: POST /v1/orders again in 0 s: 503 server_error: Short: Long\. \(request req-1\)}, log.string)
    assert_match(%r{DEBUG -- beatmarket: POST /v1/orders 200}, log.string)
    refute_match(/#{KEY}|private|Bearer/, log.string)
  end
end
