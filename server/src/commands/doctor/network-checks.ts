import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import { readCertificate } from "@beatmarket/http/tls/configured-certificate.ts";
import { checkMailServer } from "@beatmarket/mail/mailer.ts";
import { VictoriaLogsClient } from "@beatmarket/request-log/victorialogs/client.ts";
import { allWindows } from "../../access/plans.ts";
import { ok, unused, type Verdict, warning, wrong } from "../../resources/operations/verdicts.ts";
import type { Check, CheckContext } from "./check.ts";

const timeoutMs = 10_000;
const dayMs = 86_400_000;
/** The threshold of the alert BeatmarketCertificateEnds. */
const certificateDays = 7;

const redis: Check = {
  name: "Redis",
  run: async ({ config, clock }) => {
    const address = config.redisUrl === undefined ? null : redisAddress(config.redisUrl);
    if (address === null) return unused("REDIS_URL is not set: one instance counts limits by itself.");
    const { RedisRateLimitStore } = await import("@beatmarket/http/rate-limit/redis-store.ts");
    const log = { error: () => {}, warn: () => {}, info: () => {} };
    const store = new RedisRateLimitStore({ address, windows: allWindows, clock, log, loadRecent: async () => [] });
    try {
      await store.start();
      // Writes, so that a full or read-only Redis is noticed. No key has the number 0.
      if (store.isShared) await store.admit(0, allWindows);
      if (store.problem === null) return ok("Redis counts limits for all instances.");
      return wrong(
        `${store.problem}, so each instance counts limits by itself.`,
        "Bring it back, or correct REDIS_URL (docs/alerts.md, BeatmarketLimitsNotShared).",
      );
    } finally {
      store.stop();
    }
  },
};

const requestLog: Check = {
  name: "request log",
  run: async ({ config: { requestLogEngine }, clock }) => {
    if (requestLogEngine === undefined) return unused("REQUEST_LOG_URL is not set: the database has the request log.");
    try {
      await new VictoriaLogsClient(requestLogEngine, clock).check();
      return ok("VictoriaLogs has the request log, and deletes the calls of erased accounts.");
    } catch (error) {
      return wrong(
        `${(error as Error).message.replace(/\.$/, "")}.`,
        "Bring it back with -delete.enable, or correct REQUEST_LOG_URL (docs/request-log.md).",
      );
    }
  },
};

const payments: Check = {
  name: "payments",
  run: async ({ config: { stripe } }) => {
    if (stripe === null) return unused("STRIPE_SECRET_KEY is not set: the sandbox takes payments.");
    const { StripePayments } = await import("@beatmarket/payments/stripe/stripe.ts");
    // Stripe's package sends the request up to twice, and a check has 20 seconds.
    const problem = await new StripePayments(stripe, { timeoutMs: 8_000 }).findProblem();
    if (problem === null) return ok("Stripe answers, and accepts the key.");
    const { sentence, status } = problem;
    if (status === 401)
      return wrong(`Stripe refuses STRIPE_SECRET_KEY: ${sentence}`, "Set it to a key of your account.");
    if (status === 403)
      return warning(
        `Stripe answers. The key may not read the balance, so it cannot be checked: ${sentence}`,
        "Let the key of STRIPE_SECRET_KEY read the balance, too.",
      );
    if (status === null)
      return wrong(
        `Stripe cannot be reached: ${sentence}`,
        "Let this machine connect to api.stripe.com, and look at status.stripe.com.",
      );
    return wrong(`Stripe answered with status ${status}: ${sentence}`, "Try again, and look at status.stripe.com.");
  },
};

const mail: Check = {
  name: "mail server",
  run: async ({ config: { smtpUrl, dataDir }, publicBy }) => {
    if (smtpUrl === undefined) {
      const detail = `SMTP_URL is not set, so mails are files in ${dataDir}/mail.`;
      return publicBy === null ? unused(detail) : wrong(detail, "Set SMTP_URL to your mail server (docs/mails.md).");
    }
    try {
      await checkMailServer(smtpUrl);
      return ok("The mail server takes the connection and the credentials.");
    } catch (error) {
      return wrong(
        `The mail server refuses: ${(error as Error).message}.`,
        "Correct SMTP_URL, or bring the server back.",
      );
    }
  },
};

/** PUBLIC_URL if it makes the service public; otherwise the running server's own address; null if no server runs. */
function addressOf({ config, server, publicBy }: CheckContext): URL | null {
  if (publicBy?.startsWith("PUBLIC_URL") === true) return new URL(config.publicUrl);
  if (server === null) return null;
  const host = /^(0\.0\.0\.0|::)$/.test(server.host) ? "localhost" : server.host;
  return new URL(
    `${server.tls.mode === "off" ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
  );
}

/** Requests /readyz. Ignores the certificate, which another check examines. */
const ready = (address: URL): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, rejectUnauthorized: false, headers: { "x-forwarded-proto": "https" } };
    const request = (address.protocol === "http:" ? plainRequest : tlsRequest)(
      new URL("/readyz", address),
      options,
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body = (body + text).slice(0, 1_000);
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.on("error", reject);
      },
    );
    request.on("timeout", () => request.destroy(new Error("it does not answer")));
    request.on("error", reject).end();
  });

const server: Check = {
  name: "server",
  run: async (context) => {
    const address = addressOf(context);
    if (address === null) return unused("No server runs with this DATA_DIR. Start one with: npm start");
    try {
      const { status, body } = await ready(address);
      if (status === 200) return ok(`${address.origin}/readyz says: ${statusIn(body)}.`);
      return wrong(
        `${address.origin}/readyz is ${status}: ${statusIn(body)}.`,
        "Repair what the other checks report as wrong, and look into the server's log.",
      );
    } catch (error) {
      return wrong(
        `Nothing answers at ${address.origin}: ${(error as Error).message}.`,
        "Start the server, or correct PUBLIC_URL, the proxy or the firewall before it.",
      );
    }
  },
};

function statusIn(body: string): string {
  try {
    const { status, limits } = JSON.parse(body) as { status?: unknown; limits?: unknown };
    if (typeof status === "string") return typeof limits === "string" ? `${status}, limits ${limits}` : status;
  } catch {
    // The response is not from this service.
  }
  return "not the answer of this service";
}

const certificate: Check = {
  name: "certificate",
  run: async (context) => {
    const { config, clock } = context;
    const { tls } = config;
    if (tls.mode === "given") {
      await readCertificate(tls.certFile, tls.keyFile, clock);
      const file = expiry(new X509Certificate(await readFile(tls.certFile)).validToDate, clock.nowMs(), tls.certFile);
      if (file.state !== "ok") return file;
    }
    const address = addressOf(context);
    if (address === null) return unused("No server runs whose certificate could be looked at.");
    if (address.protocol === "http:") return unused("TLS=off: the proxy before the service has the certificate.");
    const { validTo, problem } = await certificateOf(address);
    if (problem !== null && tls.mode !== "own")
      return wrong(
        `Clients refuse the certificate at ${address.origin}: ${problem}.`,
        "Use a certificate for this name, with its complete chain.",
      );
    return expiry(validTo, clock.nowMs(), address.origin);
  },
};

function expiry(validTo: Date, nowMs: number, where: string): Verdict {
  const days = Math.floor((validTo.getTime() - nowMs) / dayMs);
  const date = validTo.toISOString().slice(0, 10);
  const remedy = "Renew it. The file of TLS_CERT is read again once a day, and at a restart.";
  if (days < 0) return wrong(`The certificate of ${where} expired on ${date}.`, remedy);
  if (days < certificateDays) return warning(`The certificate of ${where} expires on ${date}.`, remedy);
  return ok(`The certificate of ${where} is valid until ${date}.`);
}

/** The end of the certificate that a client sees, and why a client would refuse it (null: it would not). */
const certificateOf = (address: URL): Promise<{ validTo: Date; problem: string | null }> =>
  new Promise((resolve, reject) => {
    const host = address.hostname.replace(/^\[(.*)\]$/, "$1");
    const socket: TLSSocket = connect(
      {
        host,
        port: Number(address.port || 443),
        servername: /^[\d.:]+$/.test(host) ? "" : host,
        rejectUnauthorized: false,
      },
      () => {
        const { valid_to } = socket.getPeerCertificate();
        const problem = socket.authorized ? null : String(socket.authorizationError);
        socket.end();
        resolve({ validTo: new Date(valid_to), problem });
      },
    );
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`${address.host} does not answer.`)));
    socket.on("error", reject);
  });

export const networkChecks: readonly Check[] = [server, certificate, redis, requestLog, payments, mail];
