# frozen_string_literal: true

require_relative "lib/beatmarket/version"

Gem::Specification.new do |spec|
  spec.name = "beatmarket"
  spec.version = BeatMarket::VERSION
  spec.summary = "The Ruby library of the Beat Marketplace API (pre-release demo)"
  spec.description = "Beats, orders, sales, uploads, exports and webhooks of a beat marketplace: typed and frozen " \
                     "records, lists that fetch their pages, retries, errors that say what to do. No dependencies."
  spec.authors = ["Beat Marketplace contributors"]
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.homepage = "https://beatmarket.example"
  repository = "https://git.beatmarket.example/beat-marketplace"
  spec.metadata = {
    "source_code_uri" => repository,
    "bug_tracker_uri" => "#{repository}/issues",
    "changelog_uri" => "#{repository}/blob/main/clients/ruby/CHANGELOG.md",
    "documentation_uri" => "#{repository}/blob/main/clients/ruby/README.md",
    "rubygems_mfa_required" => "true"
  }
  spec.files = Dir.chdir(__dir__) do
    Dir["lib/**/*.{rb,json}", "sig/*", "examples/*", "*.md", "LICENSE", ".yardopts"]
  end
  spec.extra_rdoc_files = ["README.md", "CHANGELOG.md", "LICENSE"]
end
