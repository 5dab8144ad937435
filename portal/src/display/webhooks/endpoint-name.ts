import type { Endpoint } from "../../api/webhooks.ts";

/** The name of an endpoint in lists: its address without the scheme, or "Inbox". */
export const endpointName = ({ kind, url }: Pick<Endpoint, "kind" | "url">): string =>
  kind === "inbox" ? "Inbox" : url.replace(/^https:\/\//, "");
