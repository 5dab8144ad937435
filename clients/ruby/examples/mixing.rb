# frozen_string_literal: true

# Finds three beats that mix with one: `ruby mixing.rb 17`.

require "beatmarket"

client = BeatMarket::Client.new
playing = client.beats.get(ARGV.fetch(0, 1))
puts "playing: #{playing.id} #{playing.bpm} bpm #{playing.key}"
mixing = client.beats.list(
  key_compatible: (playing.key unless playing.key.empty?), # A beat without a known key mixes with any.
  bpm: playing.bpm,
  bpm_tolerance: 4, # What a deck's pitch fader bridges without being heard.
  half_double: true,
  sort: :popular,
  max_items: 4
)
mixing.reject { |beat| beat.id == playing.id }.first(3).each do |beat|
  puts "#{beat.id} #{beat.bpm} bpm #{beat.key} #{beat.title}"
end
