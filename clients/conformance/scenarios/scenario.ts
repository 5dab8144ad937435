import assert from "node:assert/strict";
import type { Driver, Result } from "../runner/driver.ts";
import type { FaultProxy, ProxiedRequest } from "../runner/fault-proxy.ts";
import type { Service } from "../runner/service.ts";

/** The test bed of a scenario: the driver of one language with its own proxy and account. */
export interface Bed {
  language: string;
  version: string;
  driver: Driver;
  proxy: FaultProxy;
  /** A server on another origin with a trusted certificate, which must never receive the key. */
  elsewhere: FaultProxy;
  service: Service;
  account: { email: string; apiKey: string; genresOnlyKey: string };
  /** Ids in the order of the server's lists. `genre` has 45 beats, which are `beats`. */
  facts: { genre: number; beats: number[]; producers: number[]; orders: number[]; searchHits: number[] };
  /**
   * Starts another driver with additional environment variables. The scenario stops it. `onLog` receives the lines of
   * its log.
   */
  startDriver(env: Record<string, string>, onLog?: (line: string) => void): Driver;
  /** A file with a certificate authority that signed no certificate in this test. */
  otherCaFile: string;
  /** The folder for the files of the scenarios. */
  folder: string;
}

export interface Scenario {
  name: string;
  /** The reason why a language cannot run the scenario, by the name of the language. */
  leftOut?: Record<string, string>;
  run(bed: Bed): Promise<void>;
}

/**
 * The time limit of an attempt, in seconds. With the clients' default of 30 s, a slow call on a busy machine would be
 * sent twice. Scenarios count requests, and a repeated change with If-Match gets a 412.
 */
const patience = 600;

/** Requests of a scenario to the driver, for a client that uses the proxy. */
export class Actor {
  readonly #bed: Bed;
  readonly #scenario: string;
  readonly #client: object;

  /** `client` overrides settings of the scenario's clients, such as the key. */
  constructor(bed: Bed, scenario: string, client: object = {}) {
    this.#bed = bed;
    this.#scenario = scenario;
    this.#client = client;
  }

  do(action: string, args: object, client: object = {}): Promise<Result> {
    const { proxy, account, service, driver } = this.#bed;
    const defaults = {
      base_url: `${proxy.origin}/v1`,
      api_key: account.apiKey,
      ca_file: service.caFile,
      timeout_seconds: patience,
    };
    const settings = { ...defaults, ...this.#client, ...client };
    return driver.ask({ scenario: this.#scenario, action, client: settings, args: args as Record<string, unknown> });
  }

  call(operation: string, args: object = {}, client: object = {}): Promise<Result> {
    return this.do("call", { operation, arguments: args }, client);
  }

  iterate(operation: string, args: object, options: object = {}, client: object = {}): Promise<Result> {
    return this.do("iterate", { operation, arguments: args, ...options }, client);
  }
}

/** Asserts that there is no error. */
export function expectSuccess(result: Result): Result {
  assert.equal(result.error, undefined, `unexpected error: ${result.error?.text}`);
  return result;
}

/** Returns the error and asserts its class and superclasses. */
export function expectFailure(result: Result, name: string): Result {
  assert.ok(result.error, `expected an error, not ${JSON.stringify(result).slice(0, 300)}`);
  assert.equal(result.error.class, name, result.error.text);
  assert.deepEqual(result.error.is, [name, ...(superclasses[name] ?? ["APIStatusError", "BeatMarketError"])]);
  return result.error;
}

/** The superclasses of each error that is not an error of a status. */
const superclasses: Readonly<Record<string, readonly string[]>> = {
  BeatMarketError: [],
  APIConnectionError: ["BeatMarketError"],
  APITimeoutError: ["APIConnectionError", "BeatMarketError"],
  APIStatusError: ["BeatMarketError"],
  SignatureVerificationError: ["BeatMarketError"],
  UploadRejectedError: ["BeatMarketError"],
  ChecksumError: ["BeatMarketError"],
};

/** The parsed query of a request. */
export const queryOf = ({ url }: ProxiedRequest): Record<string, string> =>
  Object.fromEntries(new URL(url, "https://localhost").searchParams);

/**
 * The milliseconds between each response and the next request. A busy machine only makes them longer, so they are at
 * least the client's wait.
 */
export const gapsMs = (requests: ProxiedRequest[]): number[] =>
  requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.respondedMs ?? requests[index]?.atMs ?? 0));

/** The data of the response to the n-th request, including modifications. */
export const receivedData = (bed: Bed, index = 0): Result =>
  JSON.parse(String(bed.proxy.requests[index]?.response?.body ?? "{}")).data;
