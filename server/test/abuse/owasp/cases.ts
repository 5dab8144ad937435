import type { JsonSchema, PlacedOperation } from "../../harness/documents/promised-responses.ts";

export interface Document {
  paths: Record<string, Record<string, Omit<PlacedOperation, "method" | "path">>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Valid bodies, so that only ownership decides the response. */
export const bodies: Record<string, object> = {
  updateWebhookEndpoint: { description: "mine" },
  enableWebhookEndpoint: { replay: false },
  rotateWebhookSecret: { overlap_hours: 1 },
  sendTestWebhook: { type: "beat.created" },
  replayWebhookDeliveries: { which: "failed" },
  changeStudioBeat: { title: "Mine" },
  renamePasskey: { name: "Mine" },
  changeRole: { role: "billing" },
  writeToProducer: { text: "Hello" },
  askForRefund: { reason: "other", details: "It is the wrong one." },
  restrictKey: { spending_cap: null, allowed_networks: [] },
  requestLimits: { plan: "plus", reason: "Monday" },
  changeKeyVersion: { version: null },
  counterReport: { text: "It is my own recording." },
  answerTakedown: { text: "It is my own recording." },
  saveSplit: { own_basis_points: 10_000, shares: [] },
  answerSplitInvitation: { accepts: true },
  reportLibraryUsage: { use: "streams", quantity: 10, period: "2026-01", source: "Distributor" },
  reportLibraryUsageFile: { csv: "use,quantity,period,source\nstreams,10,2026-01,Distributor\n" },
  changeView: { name: "Mine", query: "status=404" },
};
/**
 * Operations that disable, replace or remove an object, and the one that enables it again. They run after all others,
 * in this order.
 */
export const removals = [
  "disableWebhookEndpoint",
  "enableWebhookEndpoint",
  "rotateKey",
  "revokeKey",
  "deleteWebhookEndpoint",
  "withdrawStudioBeat",
  "endSession",
  "removePasskey",
  "deleteView",
  "removeMember",
  "revokeInvitation",
];
/** Operations whose identifier is public: a beat on sale. */
export const publicDataOperations = ["getMarketBeat", "listMarketLicenses", "getKept", "changeKept"];
/**
 * Operations where an order belongs to its seller, to operators, or to its buyer. contacts.test.ts tests who may call
 * them.
 */
export const orderOperations = ["getSaleContact", "writeToBuyer", "grantRefundRequest", "refuseRefundRequest"];
/**
 * The login of a program belongs to no account until a person with the code approves it. portal/device/device.test.ts
 * tests which accounts may approve it.
 */
export const deviceLoginOperations = ["getDeviceLogin", "approveDeviceLogin", "denyDeviceLogin"];
/** Live mode has no sandboxes. test/sandboxes/portal.test.ts tests which accounts may call these in test mode. */
export const testModeOperations = ["advancePortalSandbox", "forkPortalSandbox", "deletePortalSandbox"];
/** The fields of a beat that name uploads. */
export const uploadFields = ["audio", "cover", "stems", "preview_tag"];
/** Numbers that identify nothing. */
export const quantities = [
  ...["status", "page", "limit", "after", "wait", "Upload-Length", "Upload-Offset"],
  ...["quantity", "bpm", "bpm_min", "bpm_max", "duration_min", "duration_max"],
  "orders_per_day",
];
export const isIntegral = ({ type, anyOf, items }: JsonSchema): boolean =>
  type === "integer" || anyOf?.some(isIntegral) === true || (items !== undefined && isIntegral(items));

export const isIdentifier = (schema: JsonSchema): boolean =>
  isIntegral(schema) || [schema, ...(schema.anyOf ?? [])].some(({ pattern }) => pattern?.includes("upl_") === true);

export function fieldsOf(
  requestBody: PlacedOperation["requestBody"],
  document: { components: Document["components"] },
): Record<string, JsonSchema> {
  const schema = requestBody?.content["application/json"]?.schema;
  const name = schema?.$ref?.split("/").at(-1);
  return (name === undefined ? schema : document.components.schemas[name])?.properties ?? {};
}
