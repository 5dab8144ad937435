import type { IncomingHttpHeaders } from "node:http";
import { Attempts } from "@beatmarket/authentication/attempts.ts";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { AccessWatch } from "@beatmarket/http/admission/access-watch.ts";
import { type BadKeys, BadKeyThrottle } from "@beatmarket/http/admission/bad-key-throttle.ts";
import { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { type LoadRecent, MemoryRateLimitStore } from "@beatmarket/http/rate-limit/memory-store.ts";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import { MailQueue } from "@beatmarket/mail/mail-queue.ts";
import { openCallLog } from "@beatmarket/request-log/call-log.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import type { CallStore } from "@beatmarket/request-log/storage/call-store.ts";
import { WebhookNotices } from "@beatmarket/webhooks/monitoring/notices.ts";
import { Admission } from "../../access/admission.ts";
import { bucketAt } from "../../access/caller.ts";
import { IdempotencyKeys } from "../../access/idempotency.ts";
import { allWindows } from "../../access/plans.ts";
import { keyOf, noTestMode, testKeyOnLive } from "../../access/test-mode.ts";
import { Accounts } from "../../portal/auth/accounts.ts";
import type { AccountsParts } from "../../portal/auth/context.ts";
import { explorerCaller } from "../../portal/explorer/routes.ts";
import { AccountVersions } from "../../resources/api-keys/account-versions.ts";
import { CallerCache } from "../../resources/api-keys/caller-cache.ts";
import { sandboxOfKey } from "../../resources/api-keys/key-format.ts";
import { accountsErasedSince } from "../../resources/audit/retention.ts";
import { openTemplatedMailer } from "../../resources/mails/folder.ts";
import { countsIn, type ThreadCounts } from "../thread-memory.ts";
import type { ServiceScope } from "./scope.ts";

/**
 * The limit of a person's changes of any kind in the portal: more than a person makes by hand, but too few to fill the
 * database or flood a receiver.
 */
const changeLimit = { limit: 120, windowSeconds: 60 };

/** Opens keys, sessions, limits, and the request log from which the limits are refilled. */
export async function openAdmission(scope: ServiceScope) {
  const { config, database, clock, logger, portal, waits, resources } = scope;
  const db = database.query;
  const accessWatch = new AccessWatch(clock);
  await accessWatch.follow(database.listener);
  waits.defer(() => accessWatch.stop());
  const notices = new WebhookNotices(database, logger);
  await notices.start();
  resources.defer(() => notices.stop());
  const counts = scope.threads === undefined ? null : countsIn(scope.threads.memory);
  const callLog = openCallLog({
    engine: config.requestLogEngine,
    database,
    clock,
    log: logger,
    // Request ids contain the real time, not the time of a sandbox.
    idsHaveTime: scope.sandbox?.kind !== "sandbox",
  });
  const requestLog = new RequestLog(database, clock, logger, {
    maxBytes: config.requestLogMaxMb * 1_000_000,
    store: callLog.store,
    erasedSince: (time) => accountsErasedSince(db, time),
    threads: counts?.threads ?? 1,
  });
  resources.defer(() => requestLog.stop());
  const badKeys: BadKeys = counts?.badKeys ?? new BadKeyThrottle(clock);
  const isThrottled = (address: string) => badKeys.isThrottled(address);
  const callers = new CallerCache(db, clock, logger, { isThrottled, threads: counts?.threads ?? 1 });
  resources.defer(() => callers.close());
  const versions = new AccountVersions(db, clock, logger);
  resources.defer(() => versions.close());
  const mailer = await openTemplatedMailer(portal.mailer, { ...config.mails, db });
  const mailQueue = new MailQueue(mailer, logger, clock);
  resources.defer(() => mailQueue.drain());
  const attempts = new Attempts(db, clock);
  const accounts = accountsOf(scope, {
    db,
    clock,
    settings: {
      publicUrl: config.publicUrl,
      siteName: config.site.name,
      secrets: () => portal.webhooks.secrets.sessionSecrets,
    },
    attempts,
    mailQueue,
    secrets: portal.webhooks.secrets,
  });
  const { rateLimits, sharedLimits } = await openRateLimits(scope, requestLog, { store: callLog.store, counts });
  const refusals = new WeakMap<IncomingHttpHeaders, ApiError>();
  const hasTestMode = scope.sandbox !== undefined || scope.sandboxServer !== undefined;
  const refusalOfMode = (headers: IncomingHttpHeaders) => (hasTestMode ? null : refusalWithoutTestMode(headers));
  const concurrency = new ConcurrencyLimiter(counts?.threads);
  const admission = new Admission({
    callers,
    findExplorerCaller: explorerCaller({
      db,
      clock,
      findAccount: (headers) => accounts.find(headers, () => {}),
      publicUrl: config.publicUrl,
    }),
    sessions: {
      find: (headers, setCookies) => accounts.find(headers, setCookies),
      countChange: ({ personId }) => attempts.count(`changes of account ${personId}`, changeLimit),
    },
    rateLimits,
    badKeys,
    concurrency,
    mode: scope.sandbox?.kind ?? "live",
    refusalOf: (headers) => refusals.get(headers) ?? refusalOfMode(headers),
    noticeFor: (userId) => notices.noticeFor(userId),
  });
  return {
    accessWatch,
    notices,
    requestLog,
    callLog,
    badKeys,
    /** Null in a process that handles all requests in one thread. */
    counts,
    callers,
    versions,
    mailQueue,
    attempts,
    accounts,
    rateLimits,
    sharedLimits,
    concurrency,
    admission,
    /** Errors of requests that a sandbox did not handle, by the headers object. The live pipeline sends them. */
    refusals,
    idempotencyKeys: new IdempotencyKeys(db, clock),
  };
}

/** The accounts of the service. Test mode accepts the sessions of the live portal; other sandboxes accept none. */
function accountsOf({ sandbox }: ServiceScope, parts: AccountsParts): Accounts {
  const accounts = new Accounts(parts);
  if (sandbox !== undefined) accounts.find = (headers) => sandbox.findAccount(headers);
  return accounts;
}

/** The refusal of a test key. Null for a live key, and without a key. */
function refusalWithoutTestMode({ authorization }: IncomingHttpHeaders): ApiError | null {
  const key = keyOf(authorization);
  return key === null || sandboxOfKey(key) === null ? null : testKeyOnLive(noTestMode);
}

type LimitsScope = Pick<ServiceScope, "clock" | "logger" | "resources"> & {
  config: Pick<ServiceScope["config"], "redisUrl">;
};

/**
 * Opens the limits: in Redis if it is configured, else in memory, which the threads of the process share.
 * `sharedLimits` is null without Redis.
 */
export async function openRateLimits(
  { config, clock, logger, resources }: LimitsScope,
  requestLog: RequestLog,
  { store, counts }: { store: CallStore; counts: ThreadCounts | null },
) {
  const parts = {
    windows: allWindows,
    clock,
    loadRecent: (async (bucket, sinceMs, atMost) => {
      // This process may have evicted admitted calls from its limits. The log must have these calls before it is read.
      await requestLog.flush();
      return store.admittedSince(bucketAt(bucket), sinceMs, atMost);
    }) as LoadRecent,
    log: logger,
  };
  const address = config.redisUrl === undefined ? null : redisAddress(config.redisUrl);
  const inThreads = counts?.rateLimits(parts);
  if (address === null) return { rateLimits: inThreads ?? new MemoryRateLimitStore(parts), sharedLimits: null };
  // Loaded on demand, since most servers never use Redis.
  const { RedisRateLimitStore } = await import("@beatmarket/http/rate-limit/redis-store.ts");
  const sharedLimits = new RedisRateLimitStore({
    ...parts,
    address,
    ...(inThreads !== undefined && {
      openLocal: () => {
        inThreads.forgetAll();
        return inThreads;
      },
    }),
  });
  resources.defer(() => sharedLimits.stop());
  await sharedLimits.start();
  return { rateLimits: sharedLimits, sharedLimits };
}
