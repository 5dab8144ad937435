import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";
import { percentile } from "./overload.ts";

const exec = promisify(execFile);

const clientsOf = { whole: 10_000, short: 100 };
/** The number of concurrent handshakes. Each takes a millisecond or two at both ends. */
const connecting = 100;
const readsMeanwhile = 200;
/** The time limit until all clients have the change, on two cores that server and clients share. */
const spreadLimitMs = 20_000;
const readP99LimitMs = 100;
const stopLimitMs = 15_000;
const residentLimitMb = 1_000;

export const waitingClients: Fault = {
  name: "waiting-clients",
  about: "10,000 clients wait for the next change on one instance",
  run: async (stage, report, extent) => {
    const count = clientsOf[extent];
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const [beat] = await makeBeats(db, 100);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const key = await makeKey(db, "waiting@example.com");
    const reader = new Client(server.address, key, 4);
    const clients = new Client(server.address, key, count);

    const { next } = JSON.parse((await reader.get("/changes?limit=1000")).body).data as { next: number };
    const failures: Reply[] = [];
    let isOver = false;
    /** Repeats the waiting request until it returns a change after `after`. */
    const waitBeyond = async (after: number): Promise<Reply> => {
      for (;;) {
        const reply = await clients.get(`/changes?after=${after}&wait=30`);
        if (reply.status !== 200) failures.push(reply);
        if (isOver || reply.status !== 200 || !reply.body.includes('"changes":[]')) return reply;
      }
    };

    const waits: Promise<Reply>[] = [];
    const waitingNow = async () => {
      const { body } = await reader.getOutsideApi("/metrics");
      return Number(/^beatmarket_waiting_requests (\d+)/m.exec(body)?.[1]);
    };
    while (waits.length < count) {
      for (let n = 0; n < connecting && waits.length < count; n++) waits.push(waitBeyond(next));
      while ((await waitingNow()) < waits.length - connecting / 2 && failures.length === 0) await reader.get("/genres");
      if (waits.length % 1_000 === 0) report.progress(`${waits.length.toLocaleString("en")} clients are connecting`);
    }
    while ((await waitingNow()) < count && failures.length === 0) await reader.get("/genres");
    report.check(
      "all clients wait, and none is refused",
      failures.length === 0,
      `${await waitingNow()} wait, ${countStatuses(failures)}`,
    );
    report.bound("resident memory meanwhile", await residentMb(server.child.pid), residentLimitMb, "MB");

    const reads: number[] = [];
    for (let n = 0; n < readsMeanwhile; n++) {
      const { status, sentMs, endedMs } = await reader.get(`/beats/${Number(beat) + (n % 100)}`);
      if (status === 200) reads.push(endedMs - sentMs);
    }
    report.check(
      "other reads are answered meanwhile",
      reads.length === readsMeanwhile,
      `${reads.length} of ${readsMeanwhile}`,
    );
    report.bound("p99 of other reads meanwhile", percentile(reads, 0.99), readP99LimitMs, "ms");

    const changedMs = performance.now();
    await db.driver`update beats set title = 'Told to everyone' where id = ${beat}`;
    const replies = await Promise.all(waits);
    const reached = replies.filter(({ body }) => body.includes("Told to everyone"));
    report.check("a change reaches every client", reached.length === count, `${reached.length} of ${count}`);
    report.bound(
      "time until the last client has the change",
      Math.max(...replies.map(({ endedMs }) => endedMs)) - changedMs,
      spreadLimitMs,
      "ms",
    );

    const { next: newest } = JSON.parse(replies[0]?.body ?? "{}").data as { next: number };
    const secondWaits = Array.from({ length: count }, () => waitBeyond(newest));
    while ((await waitingNow()) < count && failures.length === 0) await reader.get("/genres");
    isOver = true;
    await reader.close();
    const stoppedMs = performance.now();
    server.child.kill("SIGTERM");
    const last = await Promise.all(secondWaits);
    await server.ended;
    report.check(
      "a server that stops answers all waiting clients",
      last.every(({ status }) => status === 200),
      countStatuses(last),
    );
    report.bound("time until the server has stopped", performance.now() - stoppedMs, stopLimitMs, "ms");
    report.check("the server ends by itself", hasEnded(server), "ended");
    await clients.close();
  },
};

const residentMb = async (pid: number | undefined): Promise<number> =>
  Number((await exec("ps", ["-o", "rss=", "-p", String(pid)])).stdout) / 1024;
