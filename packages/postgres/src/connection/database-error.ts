/** The codes of a failed connection: codes of Node, and codes of `Connection`. */
const connectionCodes = /^(CONNECT\w+|ECONN\w+|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Whether an error is from PostgreSQL, whose errors have a severity, or from the connection to it. A code alone is
 * not enough: the errors of files have codes, too.
 */
export function isDatabaseError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, severity, syscall } = error as { code?: unknown; severity?: unknown; syscall?: unknown };
  if (typeof severity === "string" || syscall === "connect") return true;
  // The error of a lost connection has PostgreSQL's error as its cause.
  return connectionCodes.test(String(code)) || isDatabaseError(error.cause);
}

/** SQLSTATE: a data exception, a violated constraint, or an exception of the schema's own functions. */
const refusalCodes = /^(22...|23...|P0001)$/;

/**
 * Whether PostgreSQL refused the values of a statement. The statement then changed nothing, and may succeed with other
 * values. After any other error it would fail again, or it may have succeeded although its response was lost.
 */
export const refusesValues = (error: unknown): boolean =>
  isDatabaseError(error) && refusalCodes.test(String((error as { code?: unknown }).code));
