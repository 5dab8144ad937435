import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import type { EventType } from "../webhooks/event-types.ts";
import type { Sandbox } from "./queries.ts";

/** How a sandbox is moved forward. */
export interface AdvanceRequest {
  byMs: number;
  /** Orders of simulated buyers. */
  ordersPerDay: number;
  /** Receivers of webhooks fail within these times, in milliseconds after the present time of the sandbox. */
  outages: readonly { fromMs: number; toMs: number }[];
  /** Of the orders of simulated buyers, per mille: a refund of them bounces. */
  bouncedPerMille: number;
  /** Of these orders, per mille: the buyer's bank takes the payment back. */
  disputedPerMille: number;
  /** Of the payouts, per mille: the producer's bank sends them back. */
  failedPayoutsPerMille: number;
}

/** What an advance did. */
export interface Advance {
  now: Date;
  /** What is left, since a call runs for a bounded time. */
  leftMs: number;
  /** Completed orders of simulated buyers. */
  orders: number;
  /** Refunds that they wanted. */
  refunds: number;
  /** Disputes that their banks opened. */
  disputes: number;
  /** Payouts to producers that were sent. */
  payouts: number;
}

export interface SandboxState extends Sandbox {
  /** The time of the sandbox. */
  now: Date;
  /** The address under which it is reached without a key. */
  baseUrl: string;
}

/** A new sandbox, with the only copy of its key. */
export interface CreatedSandbox extends SandboxState {
  apiKey: string;
  /** Of the endpoint; null without one. */
  webhookSecret: string | null;
}

export interface NewSandboxRequest {
  seed: string;
  catalogue: "demo" | "empty";
  webhookUrl: string | null;
}

/**
 * The sandboxes of one account. Throws 404 for one that does not exist, or is another account's. A run of an
 * Idempotency-Key makes one sandbox.
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

/** What a caused event is about. */
export interface TestEventSubject {
  orderId?: number;
  licenseId?: string;
  beatId?: number;
  uploadId?: string;
  payoutId?: number;
  userId?: number;
}

/** Makes what an event describes, for an account of a test half. Throws 409 where the test half lacks what it needs. */
export type TriggerEvent = (call: TestEventCall, type: EventType) => Promise<TestEventSubject>;
