/** The codes of a failed connection: those of Node, and those of `Connection`. */
const connectionCodes = /^(CONNECT\w+|ECONN\w+|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Whether an error is from PostgreSQL, whose errors have a severity, or from the connection to it. A code alone does not
 * tell: the errors of files have codes, too.
 */
export function isDatabaseError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  if (typeof severity === "string" || syscall === "connect") return true;
  // The error of a lost connection has PostgreSQL's error as its cause.
  return connectionCodes.test(String(code)) || isDatabaseError(error.cause);
}
