// A bucket is a list of the times of admitted requests, newest first, in microseconds of the clock of Redis. The last
// element may be 0, a marker in a list without times: Redis deletes empty lists.

/**
 * Reads the clock. If the clock was set back, shifts the times back by the same amount, so that no window stays full
 * for longer than its length.
 */
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
 * Decides one request of the bucket KEYS[1]. ARGV: 1 to count an admitted request, 0 to peek; the bucket's time to live
 * in milliseconds; the maximum number of times in the list; then each window's limit and length in microseconds.
 * Returns -1 for an unknown bucket. Otherwise returns the time and, for each window, the number of its requests and the
 * microseconds until the oldest request leaves the window.
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
 * Adds times to the bucket KEYS[1]. "refill" adds times from the request log, in Unix microseconds, if the bucket does
 * not exist. "replay" adds an instance's local admissions, as ages in microseconds (the instance's clock may differ),
 * if the bucket exists. The first write of a refill is RPUSH, not DEL, so that a full Redis refuses it. ARGV: "refill"
 * or "replay"; the bucket's time to live in milliseconds; the maximum number of times in the list; the times.
 */
export const addScript = `
local isRefill = ARGV[1] == 'refill'
if (redis.call('EXISTS', KEYS[1]) == 1) == isRefill then return 0 end
${clock}
local times = redis.call('LRANGE', KEYS[1], 0, -1)
if #times == 0 then times[1] = '0' end
for i = 4, #ARGV do
  local time = tonumber(ARGV[i])
  times[#times + 1] = string.format('%.0f', isRefill and math.min(now, time) or now - time)
end
table.sort(times, function(a, b) return tonumber(a) > tonumber(b) end)
if not isRefill then redis.call('DEL', KEYS[1]) end
local kept = math.min(#times, tonumber(ARGV[3]))
for first = 1, kept, 1000 do
  redis.call('RPUSH', KEYS[1], unpack(times, first, math.min(first + 999, kept)))
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;
