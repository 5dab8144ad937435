import type { writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";

type LogEntry = Parameters<typeof writeLogEntries>[1][number];

/** A key of the account, as log entries name it. */
export interface TrafficKey {
  id: number;
  userAgent: string;
}

/** Each key's share of the calls that remain after the previous keys. */
const keyShares = [0.65, 0.85, 1];

const hourMs = 3_600_000;

/** Typical calls of an application, with each one's share in percent. */
const shapes: [percent: number, entry: LogEntry][] = [
  [18, { operation: "listBeats", path: "/v1/beats", query: "sort=popular&limit=20", durationMs: 2.1 }],
  [10, { operation: "listBeats", path: "/v1/beats", query: "genre=7&page=2", durationMs: 2.4 }],
  [14, { operation: "getBeat", path: "/v1/beats/214", durationMs: 0.9 }],
  [9, { operation: "getBeat", path: "/v1/beats/87", durationMs: 0.8 }],
  [10, { operation: "search", path: "/v1/search", query: "q=night+drive&type=beats", durationMs: 6.4 }],
  [6, { operation: "search", path: "/v1/search", query: "q=lofi+piano", durationMs: 5.2 }],
  [12, { operation: "listSimilarBeats", path: "/v1/beats/214/similar", query: "limit=6", durationMs: 4.2 }],
  [5, { operation: "listGenres", path: "/v1/genres", durationMs: 0.6, status: 304 }],
  [2, { operation: "createOrder", method: "POST", path: "/v1/orders", durationMs: 11.4, status: 201 }],
  [5, { operation: "listOrders", path: "/v1/orders", durationMs: 3.3 }],
  [
    3,
    {
      operation: "listBeats",
      path: "/v1/beats",
      query: "genre=lofi",
      status: 400,
      errorCode: "invalid_request",
      errorMessage: "Invalid request",
      errorDetails: 'The genre parameter must be a valid integer. Given: "lofi".',
      refusedBy: "parameter:genre",
      durationMs: 0.4,
    },
  ],
  [
    2,
    {
      operation: "search",
      path: "/v1/search",
      query: "q=trap",
      status: 429,
      errorCode: "rate_limit_exceeded",
      errorMessage: "Rate limit exceeded",
      errorDetails: "The limit of 10 requests per minute is used up.",
      refusedBy: "limit:minute",
      durationMs: 0.2,
    },
  ],
  [
    2,
    {
      operation: "createOrder",
      method: "POST",
      path: "/v1/orders",
      status: 403,
      errorCode: "forbidden",
      errorMessage: "Forbidden",
      errorDetails: "The API key lacks the permission orders:write.",
      refusedBy: "permission:orders:write",
      durationMs: 0.3,
    },
  ],
  [
    2,
    {
      operation: "getBeat",
      path: "/v1/beats/99214",
      status: 404,
      errorCode: "not_found",
      errorMessage: "Not found",
      errorDetails: "There is no beat 99214.",
      durationMs: 0.7,
    },
  ],
];

/** Generates log entries of the 24 hours before `untilMs`, more in some hours than in others. Deterministic. */
export function dayOfCalls(userId: number, keys: readonly TrafficKey[], untilMs: number): LogEntry[] {
  const random = randomNumbers(7);
  return Array.from({ length: 24 }, (_, hour) => {
    const calls = Math.round(34 + 26 * Math.sin((hour / 24) * 2 * Math.PI - 2.2) + 8 * random());
    return Array.from({ length: calls }, (): LogEntry => {
      const entry = pick(random);
      const key = keys[keyShares.findIndex((share) => random() < share)] ?? keys[0];
      return {
        ...entry,
        userId,
        apiKeyId: key?.id ?? null,
        userAgent: key?.userAgent ?? "",
        durationMs: (entry.durationMs ?? 1) * (0.6 + random() + (random() < 0.04 ? 6 * random() : 0)),
        timeMs: Math.round(untilMs - (24 - hour - random()) * hourMs),
        requestId: `picture-${hour}-${Math.floor(random() * 1e9)}`,
      };
    });
  }).flat();
}

function pick(random: () => number): LogEntry {
  let remainder = random() * 100;
  for (const [percent, entry] of shapes) {
    remainder -= percent;
    if (remainder < 0) return entry;
  }
  return shapes[0]?.[1] ?? {};
}

/** A deterministic generator of numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
