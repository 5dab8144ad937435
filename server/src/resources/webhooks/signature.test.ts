import { readFile } from "node:fs/promises";
import { bodySignature, newSecret, signatureHeaders } from "@beatmarket/webhooks/signature.ts";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import examples from "../../../../contract/examples.json" with { type: "json" };

interface ClientVector {
  name: string;
  body_base64: string;
  secrets: string[];
  header: string;
  expect: "valid" | "invalid" | "error";
}

const clientVectors: ClientVector[] = JSON.parse(
  await readFile(new URL("../../../../contract/vectors/client-signature-vectors.json", import.meta.url), "utf8"),
);

it.each(clientVectors.filter((vector) => vector.expect === "valid"))(
  "the signature is the one that client libraries accept: $name",
  (vector) => {
    const signatures = vector.secrets.map((secret) => bodySignature(Buffer.from(vector.body_base64, "base64"), secret));
    expect(signatures).toContain(vector.header);
  },
);

it.each(Object.values(examples.events))(
  "the headers of Standard Webhooks pass the official verifier on $type",
  (event) => {
    const secret = newSecret();
    const eventBody = Buffer.from(JSON.stringify(event));
    const headers = signatureHeaders(
      { id: event.id, timestampSeconds: Math.floor(Date.now() / 1000), body: eventBody },
      [secret],
    );
    expect(new Webhook(secret).verify(eventBody.toString(), headers)).toEqual(event);
  },
);
