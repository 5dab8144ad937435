# frozen_string_literal: true

require_relative "../test_helper"
require "openssl"

# The signature over id, timestamp and body, which protects against replays.
class StandardWebhooksTest < Minitest::Test
  BODY = '{"id":"evt_1","created":1795176000,"type":"beat.purchased","data":{"beat_id":1}}'
  SECRET = "whsec_#{["0123456789abcdef0123456789abcdef"].pack("m0")}".freeze
  OTHER = "whsec_#{["another secret"].pack("m0")}".freeze

  def headers(at: Time.now.to_i, id: "evt_1", body: BODY, secret: SECRET)
    key = secret.delete_prefix("whsec_").unpack1("m0")
    signature = [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{at}.#{body}")].pack("m0")
    { "webhook-id" => id, "webhook-timestamp" => at.to_s, "webhook-signature" => "v1,#{signature}" }
  end

  def unwrap(headers, body: BODY, secrets: SECRET, **tolerance) = BeatMarket::Webhooks.unwrap(body, headers, secrets, **tolerance)

  def refusal(...) = assert_raises(BeatMarket::SignatureVerificationError) { unwrap(...) }.message

  def test_a_recent_request_returns_its_event
    assert_equal ["evt_1", 1], unwrap(headers).then { |event| [event.id, event.data.beat_id] }
    rack = headers.transform_keys { |name| "HTTP_#{name.upcase.tr("-", "_")}" }
    assert_equal "evt_1", unwrap({ **rack, "rack.input" => nil }).id
    assert_equal "evt_1", unwrap(headers.transform_values { |value| [value] }).id
  end

  def test_a_request_is_refused_when_it_is_older_or_newer_than_the_tolerance
    { -310 => /31\d s ago, more than the tolerance of 300 s/, 310 => /3\d\d s ahead/ }.each do |seconds, expected|
      assert_match expected, refusal(headers(at: Time.now.to_i + seconds))
      assert_equal "evt_1", unwrap(headers(at: Time.now.to_i + seconds), tolerance: 400).id
    end
    assert_match(/tolerance of 10.5 s/, refusal(headers(at: Time.now.to_i - 60), tolerance: 10.5))
  end

  def test_unwrap_accepts_the_headers_of_sign_and_sign_refuses_an_invalid_body_or_secret
    headers = BeatMarket::Webhooks.sign(BODY, SECRET)
    [300, nil].each { |tolerance| assert_equal "evt_1", unwrap(headers, tolerance: tolerance).id }
    assert_match(/more than the tolerance of 300 s/, refusal(BeatMarket::Webhooks.sign(BODY, SECRET, at: Time.at(0))))
    [["{}", SECRET], ["x", SECRET], [nil, SECRET], [BODY, ""], [BODY, "whsec_!"], [BODY, nil]].each do |body, secret|
      assert_raises(BeatMarket::BeatMarketError) { BeatMarket::Webhooks.sign(body, secret) }
    end
  end

  def test_the_timestamp_is_signed
    assert_match(/does not match/, refusal({ **headers(at: Time.now.to_i - 310), "webhook-timestamp" => Time.now.to_i.to_s }))
  end

  def test_each_header_is_required
    headers.each_key { |name| assert_match(/\A#{name} is missing: .*tolerance: nil/, refusal(headers.except(name))) }
    only_body = { "X-Webhook-Signature" => OpenSSL::HMAC.hexdigest("SHA256", SECRET, BODY) }
    assert_match(/webhook-id is missing/, refusal(only_body))
    assert_equal "evt_1", unwrap(only_body, tolerance: nil).id
  end

  def test_malformed_headers_are_refused
    ["soon", "-1", "1.5", "1" * 16, "\xff", " 1"].each do |timestamp|
      assert_match(/not Unix seconds/, refusal({ **headers, "webhook-timestamp" => timestamp }), timestamp)
    end
    signature = headers["webhook-signature"]
    ["v1", "v1,", "v2#{signature[2..]}", signature[3..], "v1,\xff", "#{signature}x", " "].each do |odd|
      assert_match(/does not match|is missing/, refusal({ **headers, "webhook-signature" => odd }), odd)
    end
  end

  def test_any_signature_and_any_secret_may_match
    entries = [OTHER, SECRET].map { |secret| headers(secret: secret)["webhook-signature"] }
    rotating = { **headers, "webhook-signature" => ["v1a,x", *entries].join(" ") }
    [SECRET, OTHER, [OTHER, SECRET]].each { |secrets| assert_equal "evt_1", unwrap(rotating, secrets: secrets).id }
    assert_match(/does not match/, refusal(headers, secrets: OTHER))
    assert_match(/does not match/, refusal(headers, body: BODY.sub("1}", "2}")))
  end

  def test_webhook_id_must_be_the_id_of_the_event
    assert_match(/webhook-id is not the id of the event/, refusal(headers(id: "evt_2")))
  end

  def test_mistakes_of_the_receiver_are_not_signature_errors
    mistakes = [0, -1, "300", Float::NAN, Complex(1, 1)].map { |tolerance| [SECRET, { tolerance: tolerance }] } +
               ["", nil, [], "whsec_", "whsec_not base64", [SECRET, "whsec_%"]].map { |secrets| [secrets, {}] }
    mistakes.each do |secrets, tolerance|
      error = assert_raises(BeatMarket::BeatMarketError) { unwrap(headers, secrets: secrets, **tolerance) }
      assert_instance_of BeatMarket::BeatMarketError, error, [secrets, tolerance].inspect
    end
  end

  def test_fields_of_an_event_may_be_null_or_of_another_type
    body = '{"id":"evt_1","created":"now","type":"beat.updated","data":{"id":null,"genre":"Trap","changed":[null,3]}}'
    event = unwrap(headers(body: body), body: body)
    assert_equal ["now", nil, "Trap", [nil, 3], nil], [event.created, event.data.id, event.data.genre, event.data.changed, event.data.title]
    ["null", '"text"', "[null]"].each do |data|
      body = %({"id":"evt_1","type":"beat.created","data":#{data}})
      event = unwrap(headers(body: body), body: body)
      assert_equal [JSON.parse(data), nil], [event.data, event.created], data
    end
  end
end
