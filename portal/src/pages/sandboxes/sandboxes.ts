import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";

export type Sandbox = components["schemas"]["Sandbox"];
export type CreatedSandbox = components["schemas"]["CreatedSandbox"];

/** The maximum number of sandboxes of an account. */
export const maxSandboxes = 5;

export const sandboxesQuery = queryOptions({
  queryKey: ["sandboxes"],
  queryFn: () => unwrap(api.GET("/sandboxes")),
});

/** A mutation of sandboxes. Refetches them even after a failure, because a part may have succeeded. */
export function useSandboxMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: sandboxesQuery.queryKey }),
  });
}

/** The values of the form that advances a sandbox. */
export interface Advance {
  days: number;
  ordersPerDay: number;
  /** The number of days at the start of the advance during which webhook receivers are down. */
  outageDays: number;
  /** The share of simulated orders whose refunds bounce. */
  bouncePercent: number;
  /** The share of simulated orders that the buyers' banks dispute. */
  disputePercent: number;
  /** The share of payouts that fail. */
  payoutFailPercent: number;
}

/** The result of an advance. */
export interface Advanced {
  from: string;
  to: string;
  orders: number;
  refunds: number;
  disputes: number;
  payouts: number;
}

const daySeconds = 86_400;

/** Advances a sandbox. Repeats the call until the server has completed the advance. */
export async function advance(sandbox: Sandbox, request: Advance): Promise<Advanced> {
  const result: Advanced = { from: sandbox.now, to: sandbox.now, orders: 0, refunds: 0, disputes: 0, payouts: 0 };
  let duration = `P${request.days}D`;
  for (let isComplete = false; !isComplete; ) {
    const passedSeconds = (Date.parse(result.to) - Date.parse(result.from)) / 1_000;
    const outageSeconds = Math.ceil(request.outageDays * daySeconds - passedSeconds);
    const faults = [
      ...(outageSeconds > 0 ? [{ receiver: "down", from: "PT0S", to: `PT${outageSeconds}S` }] : []),
      ...(request.bouncePercent > 0 ? [{ refunds: "bounce", share: request.bouncePercent / 100 }] : []),
      ...(request.disputePercent > 0 ? [{ disputes: "open", share: request.disputePercent / 100 }] : []),
      ...(request.payoutFailPercent > 0 ? [{ payouts: "fail", share: request.payoutFailPercent / 100 }] : []),
    ];
    const { advance: part } = await unwrap(
      api.POST("/sandboxes/{sandbox_id}/advance", {
        params: { path: { sandbox_id: sandbox.id } },
        body: { by: duration, orders_per_day: request.ordersPerDay, faults },
      }),
    );
    result.to = part.sandbox.now;
    result.orders += part.orders;
    result.refunds += part.refunds;
    result.disputes += part.disputes;
    result.payouts += part.payouts;
    duration = part.remaining;
    isComplete = part.is_complete;
  }
  return result;
}
