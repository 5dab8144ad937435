import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { readDuration } from "@beatmarket/http/input/durations.ts";
import type { AdvanceRequest } from "./control.ts";
import type { Fault, SandboxAdvance } from "./present.ts";

const maxDays = 3_650;

/** Reads the body of an advance. Throws 400 for an invalid or too long time, and for an unknown fault. */
export function readAdvance({ by, orders_per_day, faults = [] }: SandboxAdvance): AdvanceRequest {
  const byMs = /^-/.test(by) ? -1 : readDuration("by", by);
  if (byMs <= 0)
    throw invalidRequest(
      "The by field must be longer than zero: the clock of a sandbox goes forward only. To return to a moment, fork the sandbox at that moment.",
      "by",
    );
  if (byMs > maxDays * 86_400_000)
    throw invalidRequest("The by field may be at most P3650D; advance in several calls to go further.", "by");
  const outages = faults.filter((fault) => kindOf(fault) === "receiver").map(readOutage);
  const perMilleOf = (kind: SharedFault) =>
    Math.max(0, ...faults.filter((fault) => kindOf(fault) === kind).map((fault) => readShare(kind, fault)));
  return {
    byMs,
    outages,
    ordersPerDay: orders_per_day,
    bouncedPerMille: perMilleOf("refunds"),
    disputedPerMille: perMilleOf("disputes"),
    failedPayoutsPerMille: perMilleOf("payouts"),
  };
}

/** The faults that have a share, each with its effect. */
const sharedFaults = { refunds: "bounce", disputes: "open", payouts: "fail" } as const;
type SharedFault = keyof typeof sharedFaults;

const kinds = ["receiver", "refunds", "disputes", "payouts"] as const;
const forms = Object.entries(sharedFaults).map(([kind, effect]) => `{"${kind}": "${effect}", "share"}`);

/** Returns the kind of a fault. Throws 400 for an unknown fault. */
function kindOf(fault: Fault): (typeof kinds)[number] {
  const [kind, other] = kinds.filter((each) => fault[each] !== undefined);
  if (kind !== undefined && other === undefined && fault[kind] === (kind === "receiver" ? "down" : sharedFaults[kind]))
    return kind;
  throw invalidRequest(
    `The faults field has a fault that does not exist: ${JSON.stringify(quoted(kind === undefined ? "none" : String(fault[kind])))}. Each is {"receiver": "down", "from", "to"} or ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(forms)}.`,
    "faults",
  );
}

function readOutage({ from, to, share }: Fault) {
  if (from === undefined || to === undefined || share !== undefined)
    throw invalidRequest(
      'The fault {"receiver": "down"} takes "from" and "to", durations such as "PT0S" and "P3D", and no "share".',
      "faults",
    );
  const [fromMs, toMs] = [readDuration("faults", from), readDuration("faults", to)];
  if (fromMs >= toMs) throw invalidRequest('The "from" of a fault must be before its "to".', "faults");
  return { fromMs, toMs };
}

function readShare(kind: SharedFault, { from, to, share }: Fault): number {
  if (share === undefined || share < 0 || share > 1 || from !== undefined || to !== undefined)
    throw invalidRequest(
      `The fault {"${kind}": "${sharedFaults[kind]}"} takes a "share" from 0 to 1, and no "from" or "to".`,
      "faults",
    );
  return Math.round(share * 1_000);
}
