# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "rbconfig"

# The installed gem.
class PackageTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  def specification = Gem.loaded_specs["beatmarket"] || skip("not run by run-tests, so there is no gem")

  def test_the_tests_load_the_installed_gem
    loaded = $LOADED_FEATURES.grep(%r{/lib/beatmarket}).reject { |path| path.start_with?(specification.full_gem_path) }
    assert_empty loaded
    refute specification.full_gem_path.start_with?(ROOT)
  end

  def test_the_gem_contains_only_what_users_need
    files = Dir.glob("**/*", base: specification.full_gem_path).select { |path| path.include?(".") || path == "LICENSE" }
    %w[README.md CHANGELOG.md LICENSE lib/beatmarket.rb sig/beatmarket.rbs sig/generated.rbs lib/beatmarket/generated/models.rb examples/receiver.ru examples/sales_report.rb].each { |file| assert_includes files, file }
    assert_empty files.grep(%r{\A(test|conformance|bench|run-tests)})
  end

  def test_a_recorded_example_can_be_changed_and_each_event_has_one
    BeatMarket::Testing.response("getBeat")["data"]["beat"].clear
    assert_equal "Telephone & Shadow", BeatMarket::Testing.response(:getBeat).dig("data", "beat", "title")
    BeatMarket::Event::DATA.each_key { |type| assert_equal type, JSON.parse(BeatMarket::Testing.event(type))["type"] }
    assert_raises(KeyError) { BeatMarket::Testing.response("playBeat") }
  end

  def test_the_gem_has_its_metadata
    assert_equal ["MIT", Gem::Requirement.new(">= 3.1"), BeatMarket::VERSION],
                 [specification.license, specification.required_ruby_version, specification.version.to_s]
    assert_empty specification.runtime_dependencies
  end

  def test_the_gem_links_its_source_and_documentation_at_beatmarket_example
    addresses = [specification.homepage, *specification.metadata.values_at("source_code_uri", "bug_tracker_uri", "changelog_uri", "documentation_uri")]
    addresses.each { |address| assert_match(%r{\Ahttps://(git\.)?beatmarket\.example}, address) }

  end

  def test_the_changelog_has_this_version
    changelog = File.read(File.join(ROOT, "CHANGELOG.md"))
    assert_match(/^## \[Unreleased\]\n\nThe first version, #{Regexp.escape(BeatMarket::VERSION)}\.$/, changelog)
  end

  def test_defines_one_constant_and_loads_openssl_on_first_use_without_warnings
    script = '%w[json net/http securerandom stringio].each { |name| require name }; before = Object.constants; require "beatmarket"; ' \
             "p Object.constants - before, $LOADED_FEATURES.grep(/openssl/)"
    library = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)
    output, errors, = Open3.capture3(RbConfig.ruby, "-w", "-I#{library}", "-e", script)
    assert_equal ["[:BeatMarket]\n[]\n", ""], [output, errors]
  end

  def test_everything_public_is_documented
    Dir.mktmpdir do |folder|
      command = ["yard", "stats", "--list-undoc", "--no-save", "--no-cache", "-b", folder, "lib/**/*.rb"]
      report, = Open3.capture2e(*command, chdir: ROOT)
      assert_match(/100\.00% documented/, report)
      refute_match(/\[warn\]|\[error\]/, report)
    end
  end
end
