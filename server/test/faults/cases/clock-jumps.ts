import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { Client, countStatuses } from "../stage/client.ts";
import { makeBeats, makeKey } from "../stage/stage.ts";

/** Debian's libfaketime, since the machine's clock must not be changed. */
const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (triple) => `/usr/lib/${triple}/faketime/libfaketimeMT.so.1`,
);
/** Calls a minute in the plan standard. */
const limit = 10;
const windowMs = 60_000;

export const clockJumps: Fault = {
  name: "clock-jumps",
  about: "the servers' clocks jump by an hour, forward and back (libfaketime)",
  run: async (stage, report) => {
    const library = libraries.find(existsSync);
    if (library === undefined) return report.skip("limits while the clock jumps", "libfaketime is not installed");
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, 10);
    await Promise.all(
      ["+3600", "-3600"].map(async (jump, slot) => {
        const offset = join(stage.folder, `clock-${slot}`);
        await writeFile(offset, "+0\n");
        const server = stage.serve(slot, stage.databaseUrl(postgres), {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: offset,
          FAKETIME_NO_CACHE: "1",
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
        });
        await server.ready;
        const client = new Client(server.address, await makeKey(db, `clock-${slot}@example.com`, "standard"));
        const ask = async (count: number) => {
          const replies = [];
          for (let index = 0; index < count; index++) replies.push(await client.get("/genres"));
          return replies;
        };
        const direction = jump.startsWith("+") ? "forward" : "back";
        const firstMs = performance.now();
        const before = await ask(limit + 2);
        report.check(`admitted before the clock goes ${direction}`, admitted(before) === limit, countStatuses(before));
        await writeFile(offset, `${jump}\n`);
        // Node keeps the text of the Date header for up to a second.
        await sleep(1_200);
        const after = await ask(5);
        const skewSeconds = (Date.parse(String(after[0]?.headers.date)) - Date.now()) / 1000;
        report.check(
          `the server's clock went ${direction}`,
          Math.abs(skewSeconds - Number(jump)) < 60,
          `${Math.round(skewSeconds)} s`,
        );
        report.check(`admitted right after the clock went ${direction}`, admitted(after) === 0, countStatuses(after));
        const waits = after.map(({ headers }) => Number(headers["retry-after"]));
        report.check(
          `longest Retry-After then`,
          waits.every((wait) => wait >= 1 && wait <= windowMs / 1000),
          `${Math.max(...waits)} s`,
        );
        await sleep(Math.max(0, firstMs + windowMs + 1_000 - performance.now()));
        const later = await ask(limit + 2);
        report.check(
          `admitted a window after it went ${direction}`,
          admitted(later) >= 1 && admitted(later) <= limit,
          countStatuses(later),
        );
        await client.close();
      }),
    );
  },
};

const admitted = (replies: readonly { status: number }[]): number =>
  replies.filter(({ status }) => status === 200).length;
