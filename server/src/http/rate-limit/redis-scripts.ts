// A bucket is a list of the times of its admitted requests, newest first, in microseconds of the clock of Redis. Its last
// element may be 0, a marker that keeps an empty bucket in existence.

/** If the clock was set back, shifts the times back as far, so that no window stays full for longer than its length. */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local newest = tonumber(redis.call('LINDEX', KEYS[1], 0) or '0')
if newest > now then
  local times = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for _, t in ipairs(times) do
    local moved = math.max(0, tonumber(t) - (newest - now))
    redis.call('RPUSH', KEYS[1], string.format('%.0f', moved))
  end
end
`;

/**
 * Decides one request of the bucket KEYS[1]. ARGV: 1 to count it if admitted, 0 to peek; the bucket's time to live in
 * milliseconds; the number of times it keeps; then each window's limit and length in microseconds. Returns -1 for an
 * unknown bucket, else the time and, for each window, the number of requests in it and the microseconds until the oldest
 * of them leaves.
 */
export const admitScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
${clock}
local length = redis.call('LLEN', KEYS[1])
local function at(index) return tonumber(redis.call('LINDEX', KEYS[1], index)) end
local reply = { string.format('%.0f', now) }
local admitted = true
for i = 4, #ARGV, 2 do
  local limit, span = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local inside, outside = 0, math.min(length, limit)
  while inside < outside do
    local middle = math.floor((inside + outside) / 2)
    if at(middle) + span > now then inside = middle + 1 else outside = middle end
  end
  if inside >= limit then admitted = false end
  reply[#reply + 1] = inside
  reply[#reply + 1] = string.format('%.0f', inside == 0 and span or at(inside - 1) + span - now)
end
if admitted and ARGV[1] == '1' then
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('LTRIM', KEYS[1], 0, tonumber(ARGV[3]) - 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return reply
`;

/**
 * Adds times to the bucket KEYS[1]: from the request log to an unknown bucket, or an instance's local admissions to a
 * known one. ARGV: 1 to add to an unknown bucket only, 0 to a known one only; its time to live in milliseconds; the number
 * of times it keeps; then the age of each request in microseconds, newest first.
 */
export const addScript = `
if redis.call('EXISTS', KEYS[1]) == tonumber(ARGV[1]) then return 0 end
${clock}
local times = redis.call('LRANGE', KEYS[1], 0, -1)
if #times == 0 then times[1] = '0' end
for i = 4, #ARGV do times[#times + 1] = string.format('%.0f', now - tonumber(ARGV[i])) end
table.sort(times, function(a, b) return tonumber(a) > tonumber(b) end)
redis.call('DEL', KEYS[1])
local kept = math.min(#times, tonumber(ARGV[3]))
for first = 1, kept, 1000 do
  redis.call('RPUSH', KEYS[1], unpack(times, first, math.min(first + 999, kept)))
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;
