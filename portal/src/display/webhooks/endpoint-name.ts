import type { Endpoint } from "../../api/webhooks.ts";

/** The name of an endpoint in lists: "Inbox", or the address without `https://` and without a bucket's parameters. */
export function endpointName({ kind, url }: Pick<Endpoint, "kind" | "url">): string {
  if (kind === "inbox") return "Inbox";
  return kind === "s3" ? url.replace(/\?.*$/, "") : url.replace(/^https:\/\//, "");
}
