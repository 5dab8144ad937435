import type { components } from "../../../api/paths.ts";
import type { DocsPlace } from "../../../display/docs-links.tsx";

const webhooks = (anchor: string): DocsPlace => ({ page: "webhooks", anchor });

type Finding = components["schemas"]["WebhookDiagnosis"]["finding"];

/** Sections about the findings of the signature doctor. */
export const findingPlaces: Readonly<Record<Finding, DocsPlace>> = {
  valid: webhooks("the-signature-is-valid"),
  "no-signature": webhooks("there-is-no-signature"),
  "previous-secret": webhooks("the-secret-is-the-one-before"),
  "other-secret": webhooks("the-secret-is-another-one"),
  "secret-text": webhooks("the-secret-was-read-differently"),
  "changed-body": webhooks("the-body-is-not-what-was-sent"),
  newline: webhooks("a-line-break-at-the-end"),
  "signed-text": webhooks("something-else-was-signed"),
  encoding: webhooks("the-digest-is-written-differently"),
  "other-method": webhooks("your-code-computes-something-else"),
  "standard-headers": webhooks("the-standard-webhooks-headers-differ"),
  "stale-timestamp": webhooks("the-timestamp-is-stale"),
};
