import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** Patterns that reveal the machine or the program, by what they match. */
const revealing: Readonly<Record<string, RegExp>> = {
  stackTrace: /\n\s+at |\bat (async )?[\w.<>$]+ \((file:|node:|\/)/,
  modulePath: /node_modules|node:internal|file:\/\/|\.[cm]?[tj]s:\d+/,
  systemPath: /\/(home|root|usr|var|tmp|proc|app|srv)\/[\w.-]+\//,
  repositoryPath: new RegExp(repository.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")),
  sql: /\b(select|SELECT)\b.{1,200}\b(from|FROM)\b.{1,200}\b(where|WHERE)\b|\b(insert into|delete from|for update|returning) /i,
  databaseError:
    /syntax error at|relation "|column "|constraint "|duplicate key|invalid byte sequence|out of range for type|PostgresError|SQLSTATE/i,
  postgresCatalogue: /\bpg_[a-z]{3,}\b/,
  library: /\b(fastify|kysely|postgres(ql)?|undici|better.?auth|light-my-request)\b/i,
  errorCode: /\b(FST_)?ERR_[A-Z_]+|\bE(CONN|NOENT|ACCES|PIPE|TIMEDOUT|ADDR)\w*/,
  version: /\bnode(\.js)?[ /]v?\d+|\bv\d+\.\d+\.\d+\b/i,
  programError: /\[object Object\]|TypeError|ReferenceError|RangeError|Maximum call stack/,
};

/**
 * The first internal detail that a response reveals, or null. Text that the caller sent does not count when the
 * response echoes it. `head` is status line and headers as text.
 */
export function leakIn(response: { head: string; body: string }, sentText: string): string | null {
  if (/^(server|x-powered-by|via|x-aspnet.*):/im.test(response.head)) return response.head;
  // Hashes and tokens are random, so they may match a pattern by chance.
  const answer = `${response.head.replace(/^etag:.*$/im, "")}\n${response.body.replaceAll(/after=[\w-]+/g, "")}`;
  for (const pattern of Object.values(revealing)) {
    const leak = pattern.exec(answer)?.[0];
    if (leak !== undefined && !sentText.includes(leak)) return leak;
  }
  return null;
}
