import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Config } from "../../config.ts";
import type { OpenedDatabase } from "../../database/open.ts";
import { type Verdict, wrong } from "../../resources/operations/verdicts.ts";

export interface Finding extends Verdict {
  check: string;
}

export interface CheckContext {
  config: Config;
  clock: Clock;
  /** The address of the server of this DATA_DIR; null if no server runs. */
  server: Pick<Config, "port" | "host" | "publicUrl" | "tls"> | null;
  /** The setting that makes the service public; null: reachable only from this machine or a private network. */
  publicBy: string | null;
  /** Whether to look up every file in the storage, and to read every file in the vault. */
  isDeep: boolean;
  signal: AbortSignal;
}

export interface Check<Context = CheckContext> {
  name: string;
  run(context: Context): Promise<Verdict> | Verdict;
}

/** A check of the database's content, for a database that exists and is migrated. */
export type DatabaseCheck = Check<CheckContext & { database: OpenedDatabase }>;

const timeoutMs = 20_000;

/** Runs a check. An error becomes a finding; so does a run of more than 20 seconds, unless `isDeep` is set. */
export async function findingOf<Context extends CheckContext>(
  { name, run }: Check<Context>,
  context: Context,
): Promise<Finding> {
  try {
    const running = Promise.resolve(run(context));
    const late = () => new Error(`No result within ${timeoutMs / 1_000} seconds`);
    return { check: name, ...(await (context.isDeep ? running : withTimeout(running, timeoutMs, late))) };
  } catch (error) {
    return { check: name, ...verdictOf(error) };
  }
}

/** An OperatorError already contains the remedy. */
function verdictOf(error: unknown): Verdict {
  if (error instanceof OperatorError) return wrong(error.message, null);
  const message = error instanceof Error ? error.message : String(error);
  return wrong(
    `The check failed: ${message.replace(/\.?$/, ".")}`,
    "Look for the cause in the log of the server, then run the doctor again.",
  );
}
