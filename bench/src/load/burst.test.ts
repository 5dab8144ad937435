import { expect, test } from "vitest";
import { wrkResult } from "./burst.ts";

const wrkOutput = `Running 2s test @ https://127.0.0.1:18443
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     5.03ms    3.12ms  80.10ms   92.11%
    Req/Sec    12.93k     1.20k   14.90k    81.00%
  Latency Distribution
     50%    4.52ms
     75%    5.90ms
     90%    7.43ms
     99%    1.02s
  25866 requests in 2.00s, 180.44MB read
`;

test("the rate and the latencies in the output of wrk are parsed in any unit", () => {
  const text = `${wrkOutput}Requests/sec:  12933.00\nTransfer/sec:     90.22MB\n`;
  expect(wrkResult(text, 2)).toEqual({ requestsPerSecond: 12_933, p50Ms: 4.52, p99Ms: 1_020, failures: 0 });
});

test("refused requests and broken connections are failures, and the rate excludes refused ones", () => {
  const text = `${wrkOutput}  Socket errors: connect 1, read 2, write 3, timeout 4
  Non-2xx or 3xx responses: 600
Requests/sec:  12933.00
`;
  expect(wrkResult(text, 2)).toMatchObject({ requestsPerSecond: 12_633, failures: 610 });
});
