import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Bug, bugs, impatienceMs, sampleReceiver, secret, sign } from "../../testing/sample-receiver.ts";
import { drill } from "./drill.ts";
import { isPassed, reportText } from "./report-text.ts";

// Sends real requests. The slow connection exceeds the time limit of the impatient receiver.
const slowMs = 4 * impatienceMs;
const settleMs = 300;

async function drillReceiver(planted: readonly Bug[], readBack = true) {
  const { url, close } = await sampleReceiver({ planted, readBack });
  onTestFinished(close);
  return drill({ url, secret, sign, slowMs, settleMs });
}

const namesOf = ({ findings }: Awaited<ReturnType<typeof drill>>, wanted: string): string[] =>
  findings.filter(({ verdict }) => verdict === wanted).map(({ name }) => name);

describe("the drill", () => {
  test("passes a receiver without mistakes", async () => {
    const report = await drillReceiver([]);
    expect(report.findings.filter(({ verdict }) => verdict !== "right")).toEqual([]);
    expect(report.hasReadBack).toBe(true);
    expect(isPassed(report)).toBe(true);
  });

  test.each(bugs)("reports only %s for a receiver with that mistake, with the remedy", async (bug) => {
    const report = await drillReceiver([bug]);
    expect(namesOf(report, "wrong")).toEqual([bug]);
    expect(isPassed(report)).toBe(false);
    expect(reportText(report)).toMatch(new RegExp(`^${bug} +WRONG`, "m"));
    expect(reportText(report)).toContain(report.findings.find(({ name }) => name === bug)?.repair);
  });

  test("reports all seven mistakes of a receiver with all of them", async () => {
    expect(namesOf(await drillReceiver(bugs), "wrong")).toEqual(bugs);
  });

  test("judges a receiver without the read-back by its responses, and lists the checks that need the read-back", async () => {
    const right = await drillReceiver([], false);
    expect(namesOf(right, "wrong")).toEqual([]);
    expect(namesOf(right, "unseen")).toEqual([
      "double deliveries",
      "wrong order",
      "late refunds",
      "slow connections",
      "cut connections",
    ]);
    expect(reportText(right)).toContain(`?drill=${right.id}`);
    const wrong = await drillReceiver(bugs, false);
    expect(namesOf(wrong, "wrong")).toEqual(["bad signatures", "clock skew", "slow connections"]);
  });

  test("stops at a receiver that refuses a plain delivery", async () => {
    const { url, close } = await sampleReceiver({});
    onTestFinished(close);
    const { findings } = await drill({ url, secret: `whsec_${"A".repeat(43)}=`, sign });
    expect(findings).toEqual([
      expect.objectContaining({ verdict: "wrong", problems: ["a plain delivery: 401 instead of 2xx"] }),
    ]);
  });

  test("stops at a receiver that never responds, and at a port without a receiver", async () => {
    const silent = createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const answer = (await drill({ url, secret, sign, limitMs: 50 })).findings[0]?.problems;
    expect(answer).toEqual(["a plain delivery: no answer within 0.05 s instead of 2xx"]);
    silent.closeAllConnections();
    silent.close();
    await once(silent, "close");
    const problems = (await drill({ url, secret, sign })).findings[0]?.problems;
    expect(problems).toEqual(["a plain delivery: no answer (ECONNREFUSED) instead of 2xx"]);
  });

  test("fails a receiver that answers 500 to a missing signature, and refuses a repeated event", async () => {
    const counts = new Map<string, number>();
    const server = createServer(async (request, response) => {
      const id = String(request.headers["webhook-id"]);
      const isSigned = request.headers["webhook-signature"] !== undefined;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      request.on("error", () => {}).resume();
      response.writeHead(!isSigned ? 500 : (counts.get(id) ?? 0) > 1 ? 409 : 200).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { findings } = await drill({ url, secret, sign, slowMs, settleMs });
    const problems = (name: string) => findings.find((finding) => finding.name === name)?.problems;
    expect(problems("bad signatures")).toContain("no signature: 500 instead of 4xx");
    expect(problems("double deliveries")).toEqual(["the same event again: 409 instead of 2xx"]);
  });
});
