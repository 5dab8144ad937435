import type { Call, CallPage, CallSummary } from "@beatmarket/request-log/calls.ts";
import type { Static } from "typebox";
import { refusalOf } from "./refusal.ts";
import type { LoggedRequest, LoggedRequestDetail } from "./schema.ts";

/** A call with the ids of the events that it caused. */
interface CallWithEvents {
  call: Call;
  eventIds: string[];
}

const requestJson = (call: CallSummary): Static<typeof LoggedRequest> => ({
  id: call.requestId,
  created_at: call.time.toISOString(),
  method: call.method,
  path: call.path,
  query: call.query,
  operation: call.operation,
  status: call.status,
  duration_ms: call.durationMs,
  // The log of an account contains only calls with a key.
  key_id: call.apiKeyId ?? 0,
  key_name: call.keyName,
  error_code: call.errorCode,
  refused_by: call.refusedBy,
  version: call.version,
});

const detailJson = ({ call, eventIds }: CallWithEvents): Static<typeof LoggedRequestDetail> => {
  const refusal = refusalOf(call);
  return {
    ...requestJson(call),
    error_message: call.errorMessage,
    error_details: call.errorDetails,
    reason: refusal?.reason ?? null,
    advice: refusal?.advice ?? null,
    headers: call.headers,
    user_agent: call.userAgent,
    body: call.body,
    client_address: call.clientAddress,
    from_explorer: call.fromExplorer,
    event_ids: eventIds,
  };
};

export const requestsReference = ({ calls, next, searchedTo }: CallPage) => ({
  requests: calls.map(requestJson),
  next,
  searched_to: searchedTo?.toISOString() ?? null,
});
export const requestsConsole = (page: CallPage) => ({ data: requestsReference(page) });

export const requestReference = (call: CallWithEvents) => ({ request: detailJson(call) });
export const requestConsole = (call: CallWithEvents) => ({ data: detailJson(call) });
