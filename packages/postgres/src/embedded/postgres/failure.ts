import { OperatorError } from "@beatmarket/foundation/errors.ts";

const lastLines = 8;

/**
 * Words for something of the embedded PostgreSQL that failed: what (with the folder's name), what to do, and the
 * last lines that `reason` has (an error, or a program's output).
 */
export function clusterFailure(what: string, reason: unknown): OperatorError {
  const text = reason instanceof Error ? reason.message : String(reason);
  const lines = text.trim().split("\n").slice(-lastLines).join("\n");
  return new OperatorError(`${what}. ${remedy(text)}${lines === "" ? "" : `\n${lines}`}`, { cause: reason });
}

function remedy(text: string): string {
  if (/no space left|ENOSPC|disk quota/i.test(text)) return "The disk is full: free some space and start again.";
  if (/permission denied|EACCES|EPERM|EROFS|read-only/i.test(text))
    return "The account may not write there or run programs from there: check owner, mode and mount options (noexec, ro), or set DATA_DIR to another folder.";
  if (/cannot allocate memory|ENOMEM|shared memory/i.test(text)) return "Memory is short: stop something, or add some.";
  if (/shared librar|ENOENT/i.test(text))
    return "The system lacks something the programs need; install it, or set DATABASE_URL to a PostgreSQL of your own.";
  return "If it stays so, set DATABASE_URL to a PostgreSQL of your own.";
}
