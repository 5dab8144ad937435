# frozen_string_literal: true

# The last line of a run: "N passed, N failed". A test that is skipped is named; where CI is true it has failed.
class Counts < Minitest::AbstractReporter
  def initialize
    super
    @passed = @failed = 0
  end

  def record(result)
    is_skipped_here = result.skipped? && ENV["CI"] != "true"
    puts "skipped: #{result.class_name}##{result.name}: #{result.failure.message}" if result.skipped?
    return if is_skipped_here

    result.passed? ? @passed += 1 : @failed += 1
  end

  def passed? = @failed.zero?

  def report = puts("#{@passed} passed, #{@failed} failed")
end

module Minitest
  # Minitest calls it because the name is among its extensions.
  def self.plugin_counts_init(_options) = reporter << Counts.new
end

Minitest.extensions << "counts"
