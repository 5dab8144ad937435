# frozen_string_literal: true

# Prints the last line of a run: "N passed, N failed". Names skipped tests; with CI=true they count as failed.
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
  # Minitest calls this for each name in its extensions.
  def self.plugin_counts_init(_options) = reporter << Counts.new
end

Minitest.extensions << "counts"
