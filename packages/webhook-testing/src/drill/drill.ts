import { setTimeout as sleep } from "node:timers/promises";
import { type Check, checks } from "./checks.ts";
import { drillId, sale } from "./events.ts";
import { Session, type Sighting, type Sign } from "./session.ts";
import { readJson, type Target } from "./wire.ts";

/** What the drill says of one mistake. */
export interface Finding {
  name: string;
  /** Unseen: only a receiver that shows what it handled can be judged. */
  verdict: "right" | "wrong" | "unseen";
  /** What was wrong; empty where nothing was. */
  problems: string[];
  repair: string;
}

export interface DrillOptions {
  url: URL;
  secret: string;
  sign: Sign;
  ca?: string | undefined;
  /** How long an answer may take. */
  limitMs?: number;
  /** How long the body of the slow connection takes. */
  slowMs?: number;
  /** How long to wait for what the receiver shows: it answers before the work is done. */
  settleMs?: number;
}

export interface Report {
  id: string;
  /** Whether the receiver shows what it handled. */
  hasReadBack: boolean;
  findings: Finding[];
}

const usualLimitMs = 10_000;
const usualSlowMs = 4_000;
const usualSettleMs = 3_000;
const polls = 15;

/** Drills a receiver. One that refuses a plain delivery is not drilled further. */
export async function drill(options: DrillOptions): Promise<Report> {
  const { url, secret, sign, ca, limitMs = usualLimitMs, slowMs = usualSlowMs, settleMs = usualSettleMs } = options;
  const id = drillId();
  const target: Target = { url, ca, limitMs };
  const session = () => new Session({ id, target, secret, sign });
  const plain = session();
  const { purchase } = sale();
  plain.mustAccept(await plain.send(purchase), "a plain delivery");
  const first = { name: "a plain delivery", problems: plain.sighting.problems, repair: plainRepair };
  if (first.problems.length > 0) return { id, hasReadBack: false, findings: [{ ...first, verdict: "wrong" }] };
  const sightings = await Promise.all(
    checks.map(async (check) => {
      const one = session();
      await check.run(one, { slowMs });
      return { check, sighting: one.sighting };
    }),
  );
  const expected = sightings.flatMap(({ sighting }) => sighting.expected);
  const awaited = expected.filter(({ least }) => least > 0).map((one) => one.id);
  const handled = await readHandled(target, id, awaited, settleMs);
  const findings = sightings.map(({ check, sighting }) => judged(check, sighting, handled));
  return { id, hasReadBack: handled !== null, findings: [{ ...first, verdict: "right" }, ...findings] };
}

const plainRepair =
  "Start the receiver, with the secret of --secret, and answer 2xx to a signed delivery within 10 seconds. The other checks follow then.";

function judged({ name, repair }: Check, sighting: Sighting, handled: ReadonlyMap<string, number> | null): Finding {
  const times = (id: string): number => handled?.get(id) ?? 0;
  const accepted = sighting.accepted.filter(({ id }) => handled === null || times(id) > 0);
  const entries = sighting.expected.filter(
    ({ id, least, most }) => handled !== null && (times(id) < least || times(id) > most),
  );
  const problems = [...sighting.problems, ...[...accepted, ...entries].map(({ problem }) => problem)];
  const isUnseen = handled === null && sighting.expected.length > 0;
  return { name, repair, problems, verdict: problems.length > 0 ? "wrong" : isUnseen ? "unseen" : "right" };
}

/** How often the receiver handled each event; null if it does not show that. */
async function readHandled(
  target: Target,
  id: string,
  awaited: string[],
  settleMs: number,
): Promise<ReadonlyMap<string, number> | null> {
  const read = async () => {
    const answer = (await readJson(target, { drill: id }, { "beat-drill": id })) as { handled?: unknown } | null;
    if (!Array.isArray(answer?.handled)) return null;
    return answer.handled.reduce<Map<string, number>>(
      (counts, one) => counts.set(String(one), (counts.get(String(one)) ?? 0) + 1),
      new Map(),
    );
  };
  let handled = await read();
  for (let poll = 0; poll < polls && handled !== null; poll += 1) {
    if (awaited.every((one) => handled?.has(one))) break;
    await sleep(settleMs / polls);
    handled = await read();
  }
  if (handled === null) return null;
  // What is handled twice may be handled for the second time later.
  await sleep(settleMs / 6);
  return read();
}
