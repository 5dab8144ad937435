# frozen_string_literal: true

# Finds three beats that mix with one: `ruby mixing.rb 17`. --tolerance 6 allows tempos that differ by 6 percent.

require "beatmarket"
require "optparse"

begin
  options = { tolerance: 4.0 } # Percent: listeners do not notice such a change of tempo.
  OptionParser.new { |parser| parser.on("--tolerance PERCENT", Float) }.parse!(into: options)

  client = BeatMarket::Client.new
  playing = client.beats.get(ARGV.fetch(0, 1))
  puts "playing: #{playing.id} #{playing.bpm} bpm #{playing.key}"
  mixing = client.beats.list(
    key_compatible: (playing.key unless playing.key.empty?), # If the key of the playing beat is unknown, the filter is off.
    bpm: playing.bpm,
    bpm_tolerance: options[:tolerance],
    half_double: true,
    sort: :popular,
    max_items: 4
  )
  mixing.reject { |beat| beat.id == playing.id }.first(3).each do |beat|
    puts "#{beat.id} #{beat.bpm} bpm #{beat.key} #{beat.title}"
  end
rescue OptionParser::ParseError => error
  warn "#{error.message}; usage: mixing.rb [--tolerance PERCENT] [BEAT_ID]"
  exit 2
rescue BeatMarket::BeatMarketError => error
  warn "no beats: #{error.message}"
  exit 1
end
