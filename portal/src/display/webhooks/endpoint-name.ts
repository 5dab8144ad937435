import type { Endpoint } from "../../api/webhooks.ts";

/** The name of an endpoint in lists: its address without the scheme of HTTP or the parameters of a bucket, or "Inbox". */
export const endpointName = ({ kind, url }: Pick<Endpoint, "kind" | "url">): string =>
  kind === "inbox" ? "Inbox" : kind === "s3" ? url.replace(/\?.*$/, "") : url.replace(/^https:\/\//, "");
