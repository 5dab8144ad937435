import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { afterAll } from "vitest";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A Redis for one test file. Stops after the file. */
export type TestRedis = Omit<RedisServer, "close">;

export async function testRedis(): Promise<TestRedis> {
  const redis = await startRedis(await freePort());
  afterAll(() => redis.close());
  return redis;
}
