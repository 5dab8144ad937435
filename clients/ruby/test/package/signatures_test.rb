# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "rbconfig"
require "rbs"

# The RBS signatures are valid, complete, and hold at run time.
class SignaturesTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)
  LIBRARIES = %w[logger monitor pathname].freeze

  def environment
    loader = RBS::EnvironmentLoader.new
    LIBRARIES.each { |library| loader.add(library: library) }
    loader.add(path: Pathname(File.join(ROOT, "sig")))
    RBS::Environment.from_loader(loader).resolve_type_names
  end

  # The public types, as in the YARD documentation.
  def public_types
    hidden = %i[Adapted Attempt ByteStream Calls Connections EventFeed Extras FileName FileStream LineStream OrderDownload Query Resource ServerSentEvents TimeLimit Retries Transport TusUpload]
    types = (BeatMarket.constants - hidden).map { |name| BeatMarket.const_get(name) }.grep(Module)
    types + [BeatMarket::Resources::Beats, BeatMarket::Resources::Changes, BeatMarket::Resources::Events,
             BeatMarket::Resources::Exports, BeatMarket::Resources::Genres, BeatMarket::Resources::Orders,
             BeatMarket::Resources::Producers, BeatMarket::Resources::Sales, BeatMarket::Resources::Uploads, BeatMarket::Resources::Users] - [BeatMarket::Resources]
  end

  # Public methods that are internal to the library.
  INTERNAL = {
    BeatMarket::Response => %i[data member optional fault error_fields],
    BeatMarket::Page => %i[next_target],
    BeatMarket::PositionPage => %i[position],
    BeatMarket::BeatMarketError => %i[final! final?],
    BeatMarket::RequestInfo => %i[method= path= operation= attempt= request_headers=],
    BeatMarket::ResponseInfo => %i[method= path= operation= attempt= request_headers= status= duration_ms= request_id= error=],
    BeatMarket::SalesExport => %i[path= response=],
    BeatMarket::OrderArchive => %i[path= response=],
    BeatMarket::Operation => %i[verb= path= ruby=],
    BeatMarket::RateLimit => %i[limit= remaining= reset=],
    BeatMarket::UploadProgress => %i[upload_id= sent= bytes=],
    BeatMarket::DownloadProgress => %i[kind= received= bytes=],
    BeatMarket::DownloadedFile => %i[kind= filename= bytes= sha256= path=]
  }.freeze

  def test_the_signatures_are_valid
    builder = RBS::DefinitionBuilder.new(env: environment)
    ours = environment.class_decls.keys.select { |name| name.to_s.start_with?("::BeatMarket") }
    assert_operator ours.size, :>, 30
    ours.each do |name|
      builder.build_instance(name)
      builder.build_singleton(name)
    end
  end

  def test_the_signatures_declare_exactly_the_public_methods
    builder = RBS::DefinitionBuilder.new(env: environment)
    public_types.each do |type|
      name = RBS::TypeName.new(name: type.name.split("::").last.to_sym, namespace: RBS::Namespace.parse("::#{type.name.split("::")[0..-2].join("::")}"))
      definition = builder.build_instance(name)
      declared = definition.methods.select { |_, method| method.implemented_in == name && !method.private? }.keys - [:initialize]
      actual = type.public_instance_methods(false) - INTERNAL.fetch(type, [])
      assert_equal actual.sort, declared.sort, type.name
    end
  end

  def test_the_signatures_hold_at_run_time
    output, status = watched(File.join(__dir__, "typed_walk.rb"), CONTRACT)
    assert status.success?, output
  end

  def test_the_run_time_check_finds_a_violation
    output, status = watched("-e", "require 'beatmarket'; BeatMarket::Genre.new({ id: 1, slug: 5 }).slug")
    refute status.success?
    assert_match(/ReturnTypeError: expected `::String` but returns `5`/, output)
  end

  private

  # Runs Ruby with RBS checks of all arguments and results.
  def watched(*arguments)
    options = ["-I #{File.join(ROOT, "sig")}", *LIBRARIES.map { |library| "-r #{library}" }].join(" ")
    checks = {
      "RUBYOPT" => "-rrbs/test/setup", "RBS_TEST_TARGET" => "BeatMarket::*", "RBS_TEST_LOGLEVEL" => "error",
      "RBS_TEST_OPT" => options
    }
    library = File.dirname($LOADED_FEATURES.grep(%r{/beatmarket\.rb\z}).first)
    Open3.capture2e(checks, RbConfig.ruby, "-I#{library}", *arguments)
  end
end
