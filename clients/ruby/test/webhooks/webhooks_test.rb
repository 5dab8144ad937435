# frozen_string_literal: true

require_relative "../test_helper"
require "openssl"

# The signature of the body only, and the event of a verified body.
class WebhooksTest < Minitest::Test
  VECTORS = JSON.parse(File.read(File.join(CONTRACT, "vectors", "client-signature-vectors.json")))
  BODY = '{"id":"evt_1","created":1795176000,"type":"beat.purchased","data":{"beat_id":1,"amount":59.9,"new":"é"}}'
  SECRET = "whsec_test"

  def sign(body, secret = SECRET) = OpenSSL::HMAC.hexdigest("SHA256", secret, body)

  # Verifies only X-Webhook-Signature.
  def unwrap(headers, body: BODY, secrets: SECRET) = BeatMarket::Webhooks.unwrap(body, headers, secrets, tolerance: nil)

  def test_there_are_27_vectors
    assert_equal 27, VECTORS.size
  end

  VECTORS.each do |vector|
    define_method(:"test_vector_#{vector["name"]}") do
      verify = -> { BeatMarket::Webhooks.verify(vector["body_base64"].unpack1("m"), vector["header"], vector["secrets"]) }
      case vector["expect"]
      when "valid" then assert_equal true, verify.call
      when "invalid" then assert_raises(BeatMarket::SignatureVerificationError, &verify)
      when "config_error" then assert_instance_of BeatMarket::BeatMarketError, assert_raises(BeatMarket::BeatMarketError, &verify)
      else flunk "unknown expectation"
      end
    end
  end

  def test_a_valid_signature_returns_the_event
    event = unwrap({ "X-Webhook-Signature" => sign(BODY) })
    assert_equal ["evt_1", 1_795_176_000, "beat.purchased", 59.9, "é"],
                 [event.id, event.created, event.type, event.data.amount, event.data["new"]]
    assert_instance_of BeatMarket::Purchase, event.data
    assert_equal JSON.parse(BODY), event.to_h
  end

  def test_accepts_the_header_spellings_of_each_framework
    ["X-Webhook-Signature", "x-webhook-signature", "X-WEBHOOK-SIGNATURE", "HTTP_X_WEBHOOK_SIGNATURE", :x_webhook_signature]
      .each { |name| assert_equal "evt_1", unwrap({ name => sign(BODY), "rack.input" => nil }).id }
    assert_equal "evt_1", unwrap({ "x-webhook-signature" => [sign(BODY)] }).id
  end

  def test_during_a_rotation_either_header_and_either_secret_is_accepted
    headers = { "X-Webhook-Signature" => sign(BODY, "new"), "X-Webhook-Signature-Previous" => sign(BODY, "old") }
    ["new", "old", %w[new old], %w[none old]].each { |secrets| assert_equal "evt_1", unwrap(headers, secrets: secrets).id }
    assert_raises(BeatMarket::SignatureVerificationError) { unwrap(headers, secrets: "other") }
  end

  def test_missing_and_wrong_signatures_have_different_messages
    { {} => /missing/, { "X-Webhook-Signature" => "0" } => /64 lower-case hex/,
      { "X-Webhook-Signature" => "0" * 64 } => /raw bytes/ }.each do |headers, expected|
      assert_match expected, assert_raises(BeatMarket::SignatureVerificationError) { unwrap(headers) }.message
    end
  end

  def test_a_parsed_body_is_refused_with_a_reason
    error = assert_raises(BeatMarket::SignatureVerificationError) do
      unwrap({ "X-Webhook-Signature" => sign(BODY) }, body: JSON.parse(BODY))
    end
    assert_match(/raw bytes/, error.message)
  end

  def test_an_unset_secret_raises_beat_market_error
    [nil, "", [], [nil], [SECRET, ""]].each do |secrets|
      error = assert_raises(BeatMarket::BeatMarketError) { unwrap({ "X-Webhook-Signature" => sign(BODY, "") }, secrets: secrets) }
      assert_instance_of BeatMarket::BeatMarketError, error
    end
  end

  def test_a_signed_body_that_is_not_an_event_is_not_a_signature_error
    ["", "null", "[]", "{", "{}", '{"type":"x"}', "\xff".b].each do |body|
      error = assert_raises(BeatMarket::BeatMarketError) { unwrap({ "X-Webhook-Signature" => sign(body) }, body: body) }
      assert_instance_of BeatMarket::BeatMarketError, error
    end
  end

  def test_an_event_of_an_unknown_type_is_an_event
    body = '{"id":"evt_1","created":1,"type":"beat.praised","data":{"beat_id":1}}'
    assert_equal 1, unwrap({ "X-Webhook-Signature" => sign(body) }, body: body).data["beat_id"]
  end

  def test_the_encoding_of_the_body_does_not_matter
    [BODY.b, BODY.dup.force_encoding("UTF-16LE"), BODY].each { |body| assert_equal "é", unwrap({ "X-Webhook-Signature" => sign(BODY) }, body: body).data["new"] }
  end

  def test_a_client_has_the_same_webhooks
    client = BeatMarket::Client.new(api_key: "k")
    assert_equal "evt_1", client.webhooks.unwrap(BODY, { "X-Webhook-Signature" => sign(BODY) }, SECRET, tolerance: nil).id
  end
end
