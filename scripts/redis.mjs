import { installFromDebian, isOnPath } from "./debian.mjs";

/** Sees to the Redis that some tests start by themselves: Debian's, installed when missing and possible. */
export function ensureRedis() {
  if (isOnPath("redis-server") || installFromDebian(["redis-server"])) return;
  console.log("Tests of limits across instances need Redis, which is missing: install the package redis-server.");
}
