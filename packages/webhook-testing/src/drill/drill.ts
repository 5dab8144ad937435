import { setTimeout as sleep } from "node:timers/promises";
import { type Check, checks } from "./checks.ts";
import { drillId, sale } from "./events.ts";
import { type Observations, Session, type Sign } from "./session.ts";
import { readJson, type Target } from "./wire.ts";

/** The verdict of one check. */
export interface Finding {
  name: string;
  /** "unseen": the check needs the read-back, which the receiver does not have. */
  verdict: "right" | "wrong" | "unseen";
  /** Sentences about the mistakes of the receiver; empty if there are none. */
  problems: string[];
  repair: string;
}

export interface DrillOptions {
  url: URL;
  secret: string;
  sign: Sign;
  ca?: string | undefined;
  /** The time limit of a response. */
  limitMs?: number;
  /** The duration of the slow connection's body. */
  slowMs?: number;
  /** The time limit for handling the events: a receiver may respond before it handles an event. */
  settleMs?: number;
}

export interface Report {
  id: string;
  /** Whether the receiver reports the events that it handled. */
  hasReadBack: boolean;
  findings: Finding[];
}

const defaultLimitMs = 10_000;
const defaultSlowMs = 4_000;
const defaultSettleMs = 3_000;
const polls = 15;

/** Drills a receiver. Stops if the receiver refuses a plain delivery. */
export async function drill(options: DrillOptions): Promise<Report> {
  const {
    url,
    secret,
    sign,
    ca,
    limitMs = defaultLimitMs,
    slowMs = defaultSlowMs,
    settleMs = defaultSettleMs,
  } = options;
  const id = drillId();
  const target: Target = { url, ca, limitMs };
  const session = () => new Session({ id, target, secret, sign });
  const plain = session();
  const { purchase } = sale();
  plain.mustAccept(await plain.send(purchase), "a plain delivery");
  const first = { name: "a plain delivery", problems: plain.observations.problems, repair: plainRepair };
  if (first.problems.length > 0) return { id, hasReadBack: false, findings: [{ ...first, verdict: "wrong" }] };
  const results = await Promise.all(
    checks.map(async (check) => {
      const checkSession = session();
      await check.run(checkSession, { slowMs });
      return { check, observations: checkSession.observations };
    }),
  );
  const expected = results.flatMap(({ observations }) => observations.expected);
  const awaited = expected.filter(({ least }) => least > 0).map((event) => event.id);
  const handled = await readHandled(target, id, awaited, settleMs);
  const findings = results.map(({ check, observations }) => judge(check, observations, handled));
  return { id, hasReadBack: handled !== null, findings: [{ ...first, verdict: "right" }, ...findings] };
}

const plainRepair =
  "Start the receiver, with the secret of --secret, and answer 2xx to a signed delivery within 10 seconds. Then the other checks run.";

function judge(
  { name, repair }: Check,
  observations: Observations,
  handled: ReadonlyMap<string, number> | null,
): Finding {
  const times = (id: string): number => handled?.get(id) ?? 0;
  const mistakes = observations.accepted.filter(({ id }) => handled === null || times(id) > 0);
  const entries = observations.expected.filter(
    ({ id, least, most }) => handled !== null && (times(id) < least || times(id) > most),
  );
  const problems = [...observations.problems, ...[...mistakes, ...entries].map(({ problem }) => problem)];
  const isUnseen = handled === null && observations.expected.length > 0;
  const verdictWithoutProblem = isUnseen ? "unseen" : "right";
  return { name, repair, problems, verdict: problems.length > 0 ? "wrong" : verdictWithoutProblem };
}

/** The number of times that the receiver handled each event; null without the read-back. */
async function readHandled(
  target: Target,
  id: string,
  awaited: string[],
  settleMs: number,
): Promise<ReadonlyMap<string, number> | null> {
  const read = async () => {
    const answer = (await readJson(target, { drill: id }, { "beat-drill": id })) as { handled?: unknown } | null;
    if (!Array.isArray(answer?.handled)) return null;
    const counts = new Map<string, number>();
    for (const eventId of answer.handled.map(String)) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
    return counts;
  };
  let handled = await read();
  for (let poll = 0; poll < polls && handled !== null; poll += 1) {
    if (awaited.every((eventId) => handled?.has(eventId))) break;
    await sleep(settleMs / polls);
    handled = await read();
  }
  if (handled === null) return null;
  // Waits for events that are handled twice, since the second time may be later.
  await sleep(settleMs / 6);
  return read();
}
