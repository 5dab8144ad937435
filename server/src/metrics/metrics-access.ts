import { timingSafeEqual } from "node:crypto";

interface Reader {
  authorization: string | undefined;
  /** Of the socket. */
  remoteAddress: string;
  /** Whether no proxy is in between. */
  isDirect: boolean;
}

/** Whether a caller may read /metrics: with the token of the configuration, or from this machine. */
export function mayReadMetrics({ authorization, remoteAddress, isDirect }: Reader, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (token !== undefined && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  return isDirect && /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress);
}
