# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "rbconfig"
require "tmpdir"

# Runs the programs of the README against a service (clients/conformance/README.md names the variables that select it).
class ReadmeTest < Minitest::Test
  README = File.read(File.expand_path("../../README.md", __dir__), encoding: "UTF-8")
  BLOCKS = README.scan(/^```ruby\n(.*?)^```$/m).flatten.freeze
  FIRST, *OTHERS = BLOCKS
  LIBRARY = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)
  PRELUDE = "require \"beatmarket\"\nclient = BeatMarket::Client.new\n"
  # The expected output of each block, by a line in it.
  PRINTS = {
    "client.beats.get(999_999_999)" => /\A404 not_found: Not found: Beat 999999999 does not exist\. \(request (\S+)\)\n404\nnot_found\nNot found\nBeat 999999999 does not exist\.\n\1\n\z/,
    "orders.download_all" => %r{\Amp3: 0 of (\d+) bytes\n(.+\n)*mp3: \1 of \1 bytes\nbeat\.mp3 has SHA-256 \h{64}\nbought/.+\.mp3\nbought/.+\.pdf\nhttps://.+/licenses/},
    "sales.export" => /^sales\.csv\n\z/,
    "client.orders.create" => /\Abought for [\d.]+ USD\n/,
    "update_profile" => /\A.+\n\z/,
    "loop { puts beats.next.id }" => /\A(\d+\n){101,}\z/,
    "page.next_page" => /\A(.+\n){50}50\n\z/,
    "vnd.beatmarket.console" => /\A200\n.+\n.*"total"=>\d+/,
    "adapter: answer" => %r{\AGET https://\S+/v1/beats/7\n\z},
    "X-Tenant" => /\A\S.+\n\z/,
    "events.stream" => /\A[a-z]+\.[a-z_]+ evt_\w+ store \d+\n\z/,
    "on_response" => /\AlistGenres 1 200 \d+ ms \S+ \n\z/,
    "Logger.new" => %r{DEBUG -- beatmarket: GET /v1/genres 200 \d+ ms request_id=\S+},
    "beat.to_h.keys" => /"licenses".*\n\d[\d.]*\n(slow .+|\d+ BPM)\n/m,
    "changes.follow" => /^store \d+\n\z/,
    "max_items: 250" => /\n\d+\n/,
    "uploads.upload" => /\Aupl_\w{22}: (\d+) of \1 bytes\n.+ BPM, .+\nprocessing\n(.+\n)*\z/,
    "facets: %i[genre key]" => /\A\d+ beats\n(.+: \d+\n)+\d+ beats for .+\n\[.+\], missing: \[99999999\]\n\z/
  }.freeze

  def environment
    names = %w[BASE_URL API_KEY CA_FILE]
    names.to_h { |name| ["BEATMARKET_#{name}", ENV.fetch("BEATMARKET_TEST_#{name}", nil)] }
         .tap { |found| skip "there is no BEATMARKET_TEST_BASE_URL" unless found["BEATMARKET_BASE_URL"] }
  end

  # A recording of its own, which nobody has published.
  def write_noise(path)
    bytes = Random.bytes(8_000 * 2 * 3)
    File.binwrite(path, ["RIFF", 36 + bytes.bytesize, "WAVEfmt ", 16, 1, 1, 8_000, 16_000, 2, 16, "data", bytes.bytesize].pack("a4Va8VvvVVvva4V") + bytes)
  end

  # An account without events would wait for one.
  def cause_event
    address, key, ca_file = environment.values
    BeatMarket::Client.new(base_url: address, api_key: key, ca_file: ca_file).users.update_profile(bio: SecureRandom.hex)
  end

  def ruby(environment, script, folder)
    output, errors, status = Open3.capture3(environment, RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", script, chdir: folder)
    assert status.success?, "#{script}\n#{errors}"
    assert_empty errors, script
    output
  end

  def test_the_first_block_runs_as_it_stands
    Dir.mktmpdir do |folder|
      output = ruby(environment, FIRST, folder)
      assert_match(/\A(.+ by .+: \d+ BPM, [\d.]+\n){5}\z/, output)
    end
  end

  OTHERS.each_with_index do |block, index|
    define_method(:"test_block_#{index + 2}_runs_#{block.lines.first.strip}") do
      Dir.mktmpdir do |folder|
        write_noise("#{folder}/beat.wav")
        cause_event if block.include?("events.stream")
        output = ruby(environment, PRELUDE + block, folder)
        expected = PRINTS.find { |line, _| block.include?(line) }
        assert expected, "nothing is known of what this block prints:\n#{block}"
        assert_match expected.last, output
      end
    end
  end

  def test_the_tests_in_the_readme_pass
    Dir.mktmpdir do |folder|
      File.write("#{folder}/beats_test.rb", README[/^```ruby beats_test\.rb\n(.*?)^```$/m, 1])
      output, errors, status = Open3.capture3(RbConfig.ruby, "-I#{LIBRARY}", "beats_test.rb", chdir: folder)
      assert status.success?, output + errors
      assert_match(/^3 runs, 3 assertions, 0 failures, 0 errors, 0 skips$/, output)
    end
  end

  def test_the_receiver_in_the_readme_is_the_example
    shown = README[/^```ruby receiver\.ru\n(.*?)^```$/m, 1]
    example = File.read(File.expand_path("../../examples/receiver.ru", __dir__))
    assert_includes example, shown.lines.drop(2).join
    assert_operator shown.lines.grep(/\S/).size, :<=, 10
  end

  def test_the_readme_lists_every_error
    errors = BeatMarket.constants.map { |name| BeatMarket.const_get(name) }.select { |type| type.is_a?(Class) && type <= StandardError }
    errors.each { |type| assert_match(/^\| `#{type.name.split("::").last}` \|/, README) }
  end

  def test_the_readme_lists_every_argument
    BeatMarket::Client.instance_method(:initialize).parameters.each { |_, name| assert_match(/^\| `#{name}` \|/, README) }
  end
end
