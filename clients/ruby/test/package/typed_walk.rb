# frozen_string_literal: true

# Calls public methods against the API's examples, and reads all fields of their results. signatures_test.rb runs it
# with RBS checks.

require "beatmarket"
require "logger"
require "openssl"
require "pathname"
require "stringio"
require "tmpdir"
require_relative "../fake_api"

examples = JSON.parse(File.read(File.join(ARGV.fetch(0), "examples.json")))
ids = BeatMarket::OPERATIONS.to_h { |id, operation| [[operation.verb, %r{\A/v1#{operation.path.gsub(/\{\w+\}/, "\\w+")}(\?|\z)}], id] }
upload_id = "upl_0000000000000000000001"
offset = { "Upload-Offset" => 3, "Upload-Length" => 3, "Location" => "https://example.com/v1/uploads/#{upload_id}" }
api = FakeApi.new do |request|
  is_step = request.headers.key?("tus-resumable")
  next FakeApi.reply(status: request.verb == "POST" ? 201 : 200, headers: offset, body: "") if is_step

  if request.headers["accept"] == "text/event-stream"
    sent = "id: 7\ndata: #{JSON.generate(examples["events"].values.first)}\n\n"
    next FakeApi.reply(headers: { "Content-Type" => "text/event-stream" }, body: sent)
  end
  next FakeApi.reply(body: "ID3") if request.target.start_with?("/downloads/")

  id = ids.find { |(verb, path), _| verb == request.verb && path.match?(request.target) }&.last
  next FakeApi.error(404, "not_found") unless id

  body = examples.dig("operations", id, "reference") || {} # deleteUpload returns nothing.
  next FakeApi.reply(status: 204, body: "") if body.empty?

  (body["data"]["files"] || []).each do |file|
    file.update("bytes" => 3, "sha256" => Digest::SHA256.hexdigest("ID3"), "url" => "http://127.0.0.1:#{api.port}/downloads/1")
  end
  pagination = body["data"]["pagination"]
  pagination["next_page_url"] = nil if pagination
  headers = { "X-RateLimit-Limit" => 1, "X-RateLimit-Remaining" => 0, "X-RateLimit-Reset" => 2, "Retry-After" => 3 }
  FakeApi.reply(body: JSON.generate(body), headers: headers)
end

def read(value)
  case value
  when BeatMarket::Model
    value.class.fields.each { |field| read(value.public_send(field)) }
    [value["id"], value.to_h, value.to_json, value.inspect, value.to_s, value.hash, value == value, value.deconstruct_keys(nil), value.dig(:id)]
    read(value.response) if value.response
  when BeatMarket::Response
    [value.status, value.headers, value.header("etag"), value.text, value.body, value.success?, value.request_id,
     value.etag, value.rate_limit&.reset_at, value.retry_after, value.target, value.idempotency_key, value.inspect]
  when BeatMarket::Collection
    [value.data, value.size, value.empty?, value[0], value.inspect, value.each, value.response].each { |part| read(part) }
    value.each { |record| read(record) }
    [value.total, value.next_page, read(value.pagination)] if value.is_a?(BeatMarket::Page)
    [value.changes, value.next] if value.is_a?(BeatMarket::ChangePage)
    [value.events, value.next] if value.is_a?(BeatMarket::EventPage)
  when BeatMarket::List
    [value.data, value.first_page, value.pagination, value.response, value.inspect, value.total].each { |part| read(part) }
    [value.each, value.each_page].each(&:first)
    value.each { |record| read(record) }
    value.each_page { |page| page }
    [value.beats, value.producers, value.totals, value.interpreted, value.facets] if value.is_a?(BeatMarket::SearchResults)
    [value.facets, value.missing] if value.is_a?(BeatMarket::BeatList)
  when Array then value.each { |entry| read(entry) }
  end
end

client = BeatMarket::Client.new(
  api_key: "k", base_url: api.base_url, timeout: 5, max_retries: 0, max_retry_after: 1, logger: Logger.new(StringIO.new),
  headers: { "X-Tenant" => "a" }, user_agent_suffix: "my-shop/1.2", allow_http: true,
  on_request: ->(info) { [info.method, info.path, info.operation, info.attempt, info.request_headers] },
  on_response: ->(info) { [info.status, info.duration_ms, info.request_id, info.error] }
)
read(client.beats.list(page: 1, limit: 2, genre: [3], producer: 4, sort: :popular, max_items: 5, created_after: Time.now,
                       bpm_tolerance: 2.5, half_double: true, tag: %w[dark], license: :basic, facets: %i[genre bpm]))
client.beats.get_many([1, 2]).then { |batch| [batch.beats.first.title, batch.missing] }
read(client.beats.get(1))
read(client.beats.similar("1", limit: 2))
read(client.genres.list)
read(client.producers.list(sort: "name", max_items: nil))
read(client.users.get(1))
read(client.users.update_profile(display_name: "a", bio: nil, location: "b", website: nil, avatar_url: nil))
read(client.search("x", type: "all", page: 1, limit: 2, max_items: 3))
read(client.orders.list(status: "completed"))
read(client.orders.get(1))
read(client.orders.create(beat_id: 1, payment_method: "pm", license_type: :basic, idempotency_key: "i"))
read(client.orders.files(1))
read(client.sales.list(page: 1, limit: 2, from: Time.now, to: "2026-12-01", beat: 502, max_items: 3))
Dir.mktmpdir do |folder|
  [[1, "mp3", "#{folder}/a.mp3"], ["1", :mp3, Pathname("#{folder}/b.mp3")]].each do |arguments|
    client.orders.download(*arguments) { |progress| [progress.kind, progress.received + progress.bytes] }
          .then { |file| [file.kind, file.filename, file.bytes, file.sha256, file.path] }
  end
  client.orders.download_all(1, Pathname(folder)).map(&:path)
  client.sales.export("2026-11", "#{folder}/sales.csv").then { |export| [export.path, read(export.response)] }
end
read(client.users.my_beats(page: 1, limit: 2, status: :draft, max_items: 3))
read(client.beats.create(title: "a", genre: 3, audio: upload_id, price: 2, license_prices: { premium: 3.5 }, bpm: 92.5,
                         key: "Am", description: "b", tags: %w[c], cover: upload_id, stems: upload_id, preview_tag: "none",
                         status: :draft, idempotency_key: "i"))
read(client.beats.update("1", title: "a", genre: "Ambient", price: 2.5, license_prices: nil, bpm: nil, tags: nil, if_match: '"v1"'))
read(client.beats.withdraw(1, if_match: nil))
Dir.mktmpdir do |folder|
  path = Pathname("#{folder}/a.wav").tap { |file| file.write("abc") }
  read(client.uploads.upload(path, kind: :audio, filename: nil, part_bytes: 9) { |progress| progress.sent + progress.bytes })
  read(client.uploads.resume(upload_id, path.to_s) { |progress| progress.upload_id.size })
  read(client.uploads.resume(upload_id, path.to_s))
end
read(client.uploads.list(page: 1, limit: 2, max_items: 3))
read(client.uploads.get(upload_id))
read(client.uploads.wait(upload_id, timeout: 0.5))
read(client.uploads.retry(upload_id))
client.uploads.delete(upload_id)
read(client.changes.list(after: 1, limit: 2, wait: 0))
client.changes.follow(after: 1, limit: 2, wait: 0) { |page| break read(page) } # RBS would read an Enumerator to its end
read(client.events.list(after: 1, type: "beat.updated", limit: 2, wait: 0))
read(client.events.get("evt_1"))
client.events.follow(after: 1, type: nil, limit: 2, wait: 0) { |page| break read(page) }
client.events.stream(after: 1, type: nil) { |event| break read(event) }
client.events.stream.tap { |events| events.each { |event| break read(event) } }.position
client.with(headers: { "X-Trace" => "b" }, query: { preview: true }, body: { note: 1 }).orders.create(beat_id: 1, payment_method: "pm")
read(client.request(:get, "/beats", query: { limit: 1 }, headers: { accept: "application/json" }))
[client.with(timeout: 1, max_retries: 0, max_retry_after: 0, logger: nil), client.inspect, client.close]

begin
  client.request("GET", "/none")
rescue BeatMarket::APIStatusError => error
  read(error.response)
  [error.status, error.code, error.details, error.request_id, error.rate_limit, error.retry_after, error.inspect,
   error.reason, error.idempotency_key]
end

examples["events"].each_value do |example|
  body = JSON.generate(example)
  signature = OpenSSL::HMAC.hexdigest("SHA256", "s", body)
  client.webhooks.verify(body, signature, %w[s])
  read(BeatMarket::Webhooks.unwrap(body, { "x-webhook-signature" => signature }, "s", tolerance: nil))
end
api.close
