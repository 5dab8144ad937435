import type { Endpoint } from "./queries.ts";

/** What an endpoint is called: by its address, which is what people know it by. */
export const endpointName = ({ kind, url }: Pick<Endpoint, "kind" | "url">): string =>
  kind === "inbox" ? "Inbox" : url.replace(/^https:\/\//, "");
