# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "rbconfig"
require "tmpdir"

# The programs of examples/: against a scripted server, and against a running one where the tests have one
# (clients/conformance/README.md). mirror.rb is tested with those of the other clients, receiver.ru in receiver_test.rb.
class ExamplesTest < ClientTest
  EXAMPLES = File.expand_path("../../examples", __dir__)
  LIBRARY = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)

  def run_example(name, *arguments, **environment)
    variables = { "BEATMARKET_CA_FILE" => nil, **environment.transform_keys(&:to_s) }
    output, errors, status = Open3.capture3(variables, RbConfig.ruby, "-w", "-I#{LIBRARY}", File.join(EXAMPLES, name), *arguments)
    [output, errors, status.exitstatus]
  end

  def against(api) = { BEATMARKET_BASE_URL: api.base_url, BEATMARKET_API_KEY: KEY }

  def service
    names = %w[BASE_URL API_KEY CA_FILE]
    names.to_h { |name| [:"BEATMARKET_#{name}", ENV.fetch("BEATMARKET_TEST_#{name}") { skip "there is no BEATMARKET_TEST_#{name}" }] }
  end

  def sale(id, beat, amount, refunded: 0, currency: "USD")
    { id: id, beat: { id: beat, title: "Beat #{beat}" }, amount: amount, refunded_amount: refunded, currency: currency }
  end

  REPORT = <<~TEXT
    Sales of 2026-11-21 (UTC)
       2 x Beat 7 (7)                                    59.89 USD
       1 x Beat 8 (8)                                    10.00 EUR
       1   total, less refunds                           10.00 EUR
       2   total, less refunds                           59.89 USD
  TEXT

  def test_the_report_sums_a_day_by_beat_and_currency_and_a_second_run_writes_the_same_file
    sales = [sale(1, 7, 29.95), sale(2, 8, 10, currency: "EUR"), sale(3, 7, 39.94, refunded: 10)]
    api = api { FakeApi.reply({ sales: sales, pagination: { total: 3, next_page_url: nil } }) }
    assert_equal [REPORT, "", 0], run_example("sales_report.rb", "--day", "2026-11-21", **against(api))
    assert_equal "/v1/users/me/sales?limit=100&from=2026-11-21&to=2026-11-22", api.requests.first.target
    Dir.mktmpdir do |folder|
      2.times { assert_equal ["", "", 0], run_example("sales_report.rb", "--day", "2026-11-21", "--output", "#{folder}/sales.txt", **against(api)) }
      assert_equal [REPORT, ["sales.txt"]], [File.read("#{folder}/sales.txt"), Dir.children(folder)]
    end
  end

  def test_mistakes_and_errors_have_an_exit_status_and_a_sentence
    api = api { FakeApi.error(403, "forbidden") }
    output, errors, status = run_example("sales_report.rb", **against(api))
    assert_equal ["", "no report: 403 forbidden: Short: Long. (request req-1)\n", 1], [output, errors, status]
    assert_equal ["no beats: 403 forbidden: Short: Long. (request req-1)\n", 1], run_example("mixing.rb", "17", **against(api)).drop(1)
    [%w[sales_report.rb --day soon], %w[mixing.rb --tempo 3]].each do |arguments|
      output, errors, status = run_example(*arguments, **against(api))
      assert_equal ["", 2], [output, status], arguments.inspect
      assert_match(/usage: #{arguments.first} /, errors)
    end
  end

  def test_the_report_runs_against_the_service
    output, errors, status = run_example("sales_report.rb", **service)
    assert_equal ["", 0], [errors, status]
    assert_match(/\ASales of \d{4}-\d\d-\d\d \(UTC\)\n(none|.+ total, less refunds .+)\n/m, output)
  end

  def test_beats_that_mix_run_against_the_service
    output, errors, status = run_example("mixing.rb", "1", **service)
    assert_equal ["", 0], [errors, status]
    assert_match(/\Aplaying: 1 \d+ bpm .*\n(\d+ \d+ bpm .+\n){0,3}\z/, output)
  end
end
