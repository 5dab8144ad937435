import { OperatorError } from "@beatmarket/foundation/errors.ts";

const lastLines = 8;

/**
 * The error for a failure of the embedded PostgreSQL: what failed (with the folder's name), the remedy, and the last
 * lines of `reason`, which is an error or the output of a program.
 */
export function clusterFailure(action: string, reason: unknown): OperatorError {
  const text = reason instanceof Error ? reason.message : String(reason);
  const lines = text.trim().split("\n").slice(-lastLines).join("\n");
  return new OperatorError(`${action}. ${remedy(text)}${lines === "" ? "" : `\n${lines}`}`, { cause: reason });
}

function remedy(text: string): string {
  if (/no space left|ENOSPC|disk quota/i.test(text)) return "The disk is full: free some space and start again.";
  if (/permission denied|EACCES|EPERM|EROFS|read-only/i.test(text))
    return "The account may not write there or run programs from there: check owner, mode and mount options (noexec, ro), or set DATA_DIR to another folder.";
  if (/cannot allocate memory|ENOMEM|shared memory/i.test(text)) return "Memory is short: stop something, or add some.";
  if (/shared librar|ENOENT/i.test(text))
    return "The system lacks something the programs need; install it, or set DATABASE_URL to a PostgreSQL of your own.";
  return "If this happens again, set DATABASE_URL to a PostgreSQL of your own.";
}
