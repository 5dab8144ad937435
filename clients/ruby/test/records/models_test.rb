# frozen_string_literal: true

require_relative "../test_helper"

class ModelsTest < ClientTest
  BEAT = {
    "id" => 1, "title" => "T", "genre" => { "id" => 2, "name" => "G", "mood" => "new" }, "price" => 29.9,
    "licenses" => [{ "type" => "of-later", "price" => 3, "available" => true, "seats" => 4 }], "new_field" => { "a" => [1] }
  }.freeze

  def beat
    api = api { FakeApi.reply({ beat: BEAT }) }
    client(api).beats.get(1)
  end

  def test_dig_goes_through_records_lists_and_unknown_fields
    beat = BeatMarket::BeatDetail.new({ id: 1, genre: { id: 3, name: "x" }, licenses: [{ type: "basic" }], later: { deep: [1] } })
    assert_equal [1, "x", "basic", 1], [beat.dig(:id), beat.dig("genre", :name), beat.dig(:licenses, 0, "type"), beat.dig(:later, :deep, 0)]
    assert_equal [nil, nil, nil], [beat.dig(:nothing, :x), beat.dig(:licenses, 9, :type), beat.dig(:description)]
    assert_raises(TypeError) { beat.dig(:id, :x) }
  end

  def test_inspect_shows_the_records_within
    beat = BeatMarket::BeatDetail.new({ id: 1, genre: { id: 3 }, licenses: [{ type: "basic" }] })
    assert_equal '#<BeatMarket::BeatDetail id=1 genre=#<BeatMarket::GenreName id=3> licenses=[#<BeatMarket::License type="basic">]>', beat.inspect
    assert_equal beat.inspect, "#{beat}"
  end

  def test_fields_are_methods_and_unknown_fields_are_kept
    beat = beat()
    assert_equal [1, "T", "G", 29.9, "of-later", true],
                 [beat.id, beat.title, beat.genre.name, beat.price, beat.licenses[0].type, beat.licenses[0].available]
    assert_equal [{ "a" => [1] }, "new", 4], [beat["new_field"], beat.genre[:mood], beat.licenses[0]["seats"]]
    assert_equal BEAT, beat.to_h
    assert_equal [BEAT, BEAT], [JSON.parse(beat.to_json), beat.as_json(only: :id)]
    assert_nil beat.description
    assert_nil beat["nothing"]
  end

  def test_records_are_deeply_frozen
    beat = beat()
    [beat, beat.title, beat.genre, beat.licenses, beat.licenses[0], beat.to_h, beat["new_field"]["a"]].each do |part|
      assert_predicate part, :frozen?
    end
  end

  def test_records_match_patterns
    matched = case beat
              in { title: "T", genre: { name: String => name }, licenses: [{ type: }], new_field: } then [name, type, new_field]
              end
    assert_equal ["G", "of-later", { "a" => [1] }], matched
    refute((beat in { nothing: nil }))
  end

  def test_records_are_equal_by_their_fields
    same, other = BeatMarket::Beat.new(BEAT), BeatMarket::Beat.new(BEAT.merge("id" => 2))
    assert_equal same, BeatMarket::Beat.new(BEAT)
    assert_equal 1, [same, BeatMarket::Beat.new(BEAT)].uniq.size
    refute_equal same, other
    refute_equal same, BeatMarket::BeatDetail.new(BEAT)
  end

  def test_records_can_be_built_without_changing_their_arguments
    fields = { id: 1, title: +"T", genre: { name: "G" } }
    made = BeatMarket::Beat.new(fields)
    fields[:title] << "x"
    assert_equal ["T", "G"], [made.title, made.genre.name]
  end

  def test_a_field_of_another_type_is_kept
    odd = BeatMarket::BeatDetail.new(genre: "Trap", licenses: { "a" => 1 }, id: "7")
    assert_equal ["Trap", { "a" => 1 }, "7"], [odd.genre, odd.licenses, odd.id]
    assert_equal [nil, [1, BeatMarket::License]], BeatMarket::BeatDetail.new(licenses: [1, {}]).then { |b| [b.genre, [b.licenses[0], b.licenses[1].class]] }
  end

  def test_a_placed_order_is_returned_even_with_fields_of_another_type
    [{ id: "7", amount: "29.90", beat: nil }, { beat: [1], next_action: "soon" }, {}, nil, [], 5].each do |order|
      made = client(api { FakeApi.reply({ order: order }, status: 201) }).orders.create(beat_id: 1, payment_method: "pm")
      expected = order.is_a?(Hash) ? order.transform_keys(&:to_s) : {}
      assert_equal [expected, *expected.values_at("id", "amount", "beat", "next_action")], [made.to_h, made.id, made.amount, made.beat, made.next_action]
      assert_equal 201, made.response.status
    end
    buy = ->(data) { client(api { FakeApi.reply(data, status: 201) }).orders.create(beat_id: 1, payment_method: "pm") }
    assert_equal [BeatMarket::Order, {}], buy.call({}).then { |made| [made.class, made.to_h] }
    [[], nil].each { |data| assert_raises(BeatMarket::APIStatusError) { buy.call(data) } }
  end

  def test_a_pending_order_has_the_next_action_of_the_buyer
    order = BeatMarket::Order.new(next_action: { type: "redirect", url: "https://localhost:8443/pay/x" }, client_secret: "pi_secret", refunded_amount: 0)
    assert_equal ["redirect", "https://localhost:8443/pay/x", "pi_secret", 0],
                 [order.next_action.type, order.next_action.url, order.client_secret, order.refunded_amount]
    assert_nil BeatMarket::Order.new(next_action: nil).next_action
  end

  def test_a_record_shows_its_fields_and_a_single_one_its_response
    assert_equal '#<BeatMarket::GenreName id=1 name="G">', BeatMarket::GenreName.new(id: 1, name: "G").inspect
    assert_equal 200, beat.response.status
    assert_nil beat.genre.response
  end
end

# Compares the models with the OpenAPI document.
class ContractTest < Minitest::Test
  DOCUMENT = JSON.parse(File.read(File.join(CONTRACT, "openapi.json")))
  SCHEMAS = DOCUMENT["components"]["schemas"]
  EXAMPLES = JSON.parse(File.read(File.join(CONTRACT, "examples.json")))
  MODELS = [BeatMarket::Beat, BeatMarket::BeatDetail, BeatMarket::SimilarBeat, BeatMarket::User, BeatMarket::Producer,
            BeatMarket::Genre, BeatMarket::Order, BeatMarket::OrderFiles, BeatMarket::Sale, BeatMarket::Upload, BeatMarket::Pagination, BeatMarket::BeatUpdated,
            BeatMarket::Purchase, BeatMarket::OrderRefund, BeatMarket::OrderFailure, BeatMarket::PublishingFailure, BeatMarket::UserUpdated].freeze

  # The schema of an object, of a list's item, or of a nullable value.
  def object_of(property)
    property = property["anyOf"].first if property["anyOf"]
    property = property["items"] if property["items"]
    property["$ref"] ? SCHEMAS.fetch(property["$ref"].split("/").last) : property
  end

  def check(model, schema, path)
    # The fields of a beat that only some lists have are in a separate model, BeatDetail.
    expected = model == BeatMarket::Beat ? schema["properties"].slice(*schema["required"]) : schema["properties"]
    assert_equal expected.keys.sort, model.fields.map(&:name).sort, path
    expected.each do |name, property|
      nested = object_of(property)
      type = model.nested[name.to_sym]
      assert_equal (nested && nested["properties"]).nil?, type.nil?, "#{path}.#{name}"
      check([*type].first, nested, "#{path}.#{name}") if type
    end
  end

  MODELS.each do |model|
    define_method(:"test_#{model.name}_has_the_fields_of_its_schema") do
      check(model, SCHEMAS.fetch(model.name.split("::").last), model.name)
    end
  end

  # The calls of tus, which uploads.upload and uploads.resume make, and a file that no method sends.
  STEPS = %w[createUpload getUploadOffset appendToUpload reportLicenseUsageFile].freeze

  def test_every_operation_has_its_verb_and_path
    documented = DOCUMENT["paths"].flat_map do |path, verbs|
      verbs.map { |verb, operation| [operation["operationId"], [verb.upcase, path]] }
    end.to_h
    assert_equal documented.except(*STEPS), BeatMarket::OPERATIONS.transform_values { |operation| [operation.verb, operation.path] }
  end

  def test_every_operation_is_a_method
    client = BeatMarket::Client.new(api_key: "k", base_url: "https://localhost/v1")
    BeatMarket::OPERATIONS.each_value do |operation|
      *owner, name = operation.ruby
      assert_respond_to owner.reduce(client) { |object, member| object.public_send(member) }, name
    end
  end

  def test_every_event_type_has_its_record
    assert_equal DOCUMENT["webhooks"].keys.sort, BeatMarket::Event::DATA.keys.sort
    EXAMPLES["events"].each do |type, example|
      event = BeatMarket::Event.new(example)
      assert_instance_of BeatMarket::Event::DATA.fetch(type), event.data
      event.data.class.fields.each { |field| assert event.data.to_h.key?(field.name), "#{type}.#{field}" }
    end
  end

  def test_every_code_has_its_error
    codes = SCHEMAS["ErrorResponse"]["properties"]["error"]["properties"]["code"]["enum"]
    assert_equal codes.sort, BeatMarket::APIStatusError::BY_CODE.keys.sort
  end
end
