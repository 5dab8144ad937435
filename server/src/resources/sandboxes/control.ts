import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import type { EventType } from "../webhooks/event-types.ts";
import type { Sandbox } from "./queries.ts";

/** The parameters of an advance: the time, and the simulated events in that time. */
export interface AdvanceRequest {
  byMs: number;
  /** The average number of orders of simulated buyers per day. */
  ordersPerDay: number;
  /** Receivers of webhooks fail in these periods, in milliseconds after the current time of the sandbox. */
  outages: readonly { fromMs: number; toMs: number }[];
  /** The share of simulated orders whose refund bounces, per mille. */
  bouncedPerMille: number;
  /** The share of simulated orders whose payment the buyer's bank takes back, per mille. */
  disputedPerMille: number;
  /** The share of payouts that the producer's bank sends back, per mille. */
  failedPayoutsPerMille: number;
}

/** The result of an advance. */
export interface Advance {
  now: Date;
  /** The part of the requested time that the call did not reach, because a call runs for a limited time. 0: none. */
  leftMs: number;
  /** The number of completed orders of simulated buyers. */
  orders: number;
  /** The number of refunds that simulated buyers requested. */
  refunds: number;
  /** The number of disputes that the banks of simulated buyers opened. */
  disputes: number;
  /** The number of payouts that were sent to producers. */
  payouts: number;
}

export interface SandboxState extends Sandbox {
  /** The current time of the sandbox. */
  now: Date;
  /** The address at which the sandbox can be reached without a key. */
  baseUrl: string;
}

/** A new sandbox, with the only copy of its key. */
export interface CreatedSandbox extends SandboxState {
  apiKey: string;
  /** The secret of the webhook endpoint. Null if no endpoint was created, and for a copy. */
  webhookSecret: string | null;
}

export interface NewSandboxRequest {
  seed: string;
  catalogue: "demo" | "empty";
  webhookUrl: string | null;
}

/**
 * The sandboxes of one account. Throws 404 for an unknown sandbox and for a sandbox of another account. `run` is the id
 * of the Idempotency-Key's execution (access/idempotency.ts), or null: all attempts with the same id create one
 * sandbox.
 */
export interface SandboxControl {
  create(request: NewSandboxRequest, run?: string | null): Promise<CreatedSandbox>;
  list(): Promise<SandboxState[]>;
  get(id: string): Promise<SandboxState>;
  delete(id: string): Promise<SandboxState>;
  advance(id: string, request: AdvanceRequest): Promise<{ sandbox: SandboxState; advance: Advance }>;
  fork(id: string, run?: string | null): Promise<CreatedSandbox>;
}

/** The call of a test key that causes an event. */
export type TestEventCall = Pick<
  KeyCall<object, object, object>,
  "caller" | "requestId" | "clock" | "context" | "closed"
>;

/** The ids of the objects in an event that was caused. */
export interface TestEventSubject {
  orderId?: number;
  licenseId?: string;
  beatId?: number;
  uploadId?: string;
  payoutId?: number;
  userId?: number;
}

/**
 * Causes an event by the action that it describes, for an account of test mode. Throws 409 if test mode lacks
 * necessary objects.
 */
export type TriggerEvent = (call: TestEventCall, type: EventType) => Promise<TestEventSubject>;
