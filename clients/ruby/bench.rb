# frozen_string_literal: true

# Measures the client against bare net/http in one run; clients/conformance/README.md explains the numbers.
# BEATMARKET_BASE_URL, BEATMARKET_API_KEY and BEATMARKET_CA_FILE select a service with 100,000 beats or more, and a key
# without limits. Prints one line of JSON.

require "objspace"
require "rbconfig"

LIBRARY = File.expand_path("lib", __dir__)
$LOAD_PATH.unshift(LIBRARY)

CALLS = 500
WARM_UP = 50
ITEMS = 100_000
FIRST_ITEMS = 10_000

def milliseconds
  begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  (Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun) * 1000
end

# Wall time and CPU time of this process, in milliseconds.
def milliseconds_with_cpu(&)
  begun = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  taken = milliseconds(&)
  [taken, (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - begun) * 1000]
end

def mean(values) = values.sum / values.size

def median(values) = values.sort[values.size / 2]

def process_ms(*arguments)
  milliseconds { system(RbConfig.ruby, "-I", LIBRARY, *arguments, "-e", "", exception: true) }
end

def growth_kb(client)
  memory_after = lambda do
    GC.start
    ObjectSpace.memsize_of_all / 1024
  end
  first = nil
  client.beats.list(limit: 100, max_items: ITEMS).each.with_index(1) do |_beat, visited|
    first = memory_after.call if visited == FIRST_ITEMS
  end
  memory_after.call - first
end

programs = [[], %w[-rnet/http -ropenssl -rjson], %w[-rbeatmarket]]
idle_ms, http_ms, client_ms =
  Array.new(7) { programs.map { |arguments| process_ms(*arguments) } }.transpose.map { |durations| median(durations) }

require "beatmarket"

base = URI.parse(ENV.fetch("BEATMARKET_BASE_URL"))
bare = Net::HTTP.new(base.hostname, base.port)
bare.use_ssl = true
bare.ca_file = ENV.fetch("BEATMARKET_CA_FILE")
bare.start
headers = {
  "Authorization" => "Bearer #{ENV.fetch("BEATMARKET_API_KEY")}", "Accept" => "application/json",
  "User-Agent" => "bare"
}
client = BeatMarket::Client.new

one_call = -> { client.beats.get(1) }
# The same call written by hand, with the time limits of net/http: it checks the status and parses the JSON.
one_bare = lambda do
  response = bare.get("#{base.path}/beats/1", headers)
  raise "The bare call got #{response.code}." unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end
WARM_UP.times { [one_call, one_bare].each(&:call) }
pairs = Array.new(CALLS) { [milliseconds_with_cpu(&one_call), milliseconds_with_cpu(&one_bare)] }
calls, bare_calls = pairs.transpose

puts JSON.generate(
  import_ms: (client_ms - idle_ms).round(1),
  http_import_ms: (http_ms - idle_ms).round(1),
  idle_ms: idle_ms.round(1),
  call_ms: median(calls.map(&:first)).round(4),
  bare_ms: median(bare_calls.map(&:first)).round(4),
  call_cpu_ms: mean(calls.map(&:last)).round(4),
  bare_cpu_ms: mean(bare_calls.map(&:last)).round(4),
  growth_kb: growth_kb(client)
)
