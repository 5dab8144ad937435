import type { Service } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { responseMs } from "./request.ts";

/** The latencies of some requests and, for comparison, of `GET /v1/beats/{id}` between them. */
export interface BesideBeats {
  durationsMs: number[];
  /** The median of the requests for a beat. */
  beatMs: number;
}

const requestsForMedian = 200;

/** Measures the median latency of `GET /v1/beats/{id}`, in milliseconds, with one request at a time. */
export async function medianBeatMs(service: Service & { beats: number }): Promise<number> {
  const durationsMs: number[] = [];
  for (let n = 0; n < requestsForMedian; n++) durationsMs.push(await responseMs(service, randomBeat(service)));
  return median(durationsMs);
}

/** Sends requests one at a time, and after each a request for a random beat, so that both see the same machine load. */
export async function timedBesideBeats(
  service: Service & { beats: number },
  paths: readonly string[],
): Promise<BesideBeats> {
  const durationsMs: number[] = [];
  const beatsMs: number[] = [];
  for (const path of paths) {
    durationsMs.push(await responseMs(service, path));
    beatsMs.push(await responseMs(service, randomBeat(service)));
  }
  return { durationsMs, beatMs: median(beatsMs) };
}

const randomBeat = ({ beats }: { beats: number }): string => `/v1/beats/${1 + Math.floor(Math.random() * beats)}`;
