# frozen_string_literal: true

# Keeps a mirror of the catalogue in SQLite: `ruby mirror.rb beats.db`. It may be stopped at any moment and started again.
# --once ends it when no change is waiting. --pause 90 waits 90 seconds between calls once it is up to date, for a plan
# with few calls a day.

require "beatmarket"
require "optparse"
require "sqlite3" # gem install sqlite3, or Debian's ruby-sqlite3

options = { once: false, pause: 0.0 }
OptionParser.new { |parser| parser.on("--once").on("--pause SECONDS", Float) }.parse!(into: options)
file = ARGV.fetch(0, "beats.db")
client = BeatMarket::Client.new
db = SQLite3::Database.new(file)
db.execute_batch(<<~SQL)
  pragma journal_mode = wal;
  create table if not exists beats (id integer primary key, beat text not null);
  create table if not exists mirror (position integer not null);
SQL
insert = db.prepare("insert into beats values (?, ?) on conflict (id) do update set beat = excluded.beat")
upsert = ->(beat) { insert.execute(beat.id, beat.to_json) }

# Rows and position change together, so a mirror that is stopped continues from where its rows are.
in_transaction = lambda do |position, &change|
  db.transaction do
    change.call
    db.execute("delete from mirror")
    db.execute("insert into mirror values (?)", [position])
  end
  position
end

load_export = lambda do
  beats = client.exports.beats("#{file}.ndjson.gz")
  in_transaction.call(beats.position) do
    db.execute("delete from beats")
    beats.each(&upsert)
  end
end

position = db.get_first_value("select position from mirror")
begin
  position ||= load_export.call
  client.changes.follow(after: position, wait: options[:once] ? 0 : 30) do |page|
    in_transaction.call(page.next) do
      page.each do |change|
        is_off = change.beat.nil? || %w[sold withdrawn].include?(change.type)
        is_off ? db.execute("delete from beats where id = ?", [change.beat_id]) : upsert.call(change.beat)
      end
    end
    break if options[:once] && page.empty?

    sleep(options[:pause]) if page.size < 1000
  end
rescue BeatMarket::GoneError # away for more than 30 days
  position = nil
  retry
end
puts "#{db.get_first_value("select count(*) from beats")} beats"
