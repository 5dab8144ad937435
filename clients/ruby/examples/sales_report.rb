# frozen_string_literal: true

# Reports yesterday's sales (UTC) by beat and currency: `ruby sales_report.rb`, from cron after midnight. It prints the report,
# or writes it to a file with --output. A second run writes the same report. --day 2026-11-21 reports another day.

require "beatmarket"
require "date"
require "optparse"

options = { day: (Time.now.utc.to_date - 1).iso8601 }
begin
  OptionParser.new do |parser|
    parser.on("--day DATE") { |text| options[:day] = Date.iso8601(text).iso8601 }
    parser.on("--output FILE") { |path| options[:output] = path }
  end.parse!
rescue OptionParser::ParseError, Date::Error => error
  warn "#{error.message}; usage: sales_report.rb [--day 2026-11-21] [--output sales.txt]"
  exit 2
end

day = Date.iso8601(options[:day])
begin
  sales = BeatMarket::Client.new.sales.list(from: day.iso8601, to: (day + 1).iso8601, limit: 100).to_a
rescue BeatMarket::BeatMarketError => error
  warn "no report: #{error.message}"
  exit 1
end

lines = sales.group_by { |sale| [sale.beat.title, sale.beat.id, sale.currency] }.sort.map do |(title, id, currency), sold|
  paid = sold.sum { |sale| sale.amount.to_r - sale.refunded_amount.to_r }
  format("%4d x %-40s %10.2f %s", sold.size, "#{title} (#{id})", paid, currency)
end
totals = sales.group_by(&:currency).sort.map do |currency, sold|
  format("%4d   %-40s %10.2f %s", sold.size, "total, less refunds", sold.sum { |sale| sale.amount.to_r - sale.refunded_amount.to_r }, currency)
end
report = ["Sales of #{day.iso8601} (UTC)", *(lines.empty? ? ["none"] : lines + totals), ""].join("\n")

if options[:output]
  # A reader sees either the old report or the new one, never an incomplete one.
  File.write("#{options[:output]}.new", report)
  File.rename("#{options[:output]}.new", options[:output])
else
  puts report
end
