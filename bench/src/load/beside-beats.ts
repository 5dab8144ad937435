import type { Service } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { responseMs } from "./request.ts";

/** Latencies, and the median latency of a beat by id in the same time. */
export interface BesideBeats {
  durationsMs: number[];
  /** Median of the beats by id. */
  beatMs: number;
}

const requestsOfMedian = 200;

/** Median milliseconds of a beat by id, one request at a time. */
export async function medianBeatMs(service: Service & { beats: number }): Promise<number> {
  const durationsMs: number[] = [];
  for (let n = 0; n < requestsOfMedian; n++) durationsMs.push(await responseMs(service, randomBeat(service)));
  return median(durationsMs);
}

/** Sends requests one at a time, each followed by a beat with a random id, so that both see the same machine load. */
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
