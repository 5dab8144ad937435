import { expect, test } from "vitest";
import { bucketFaultInWords } from "./bucket-writer.ts";

const place = { bucket: "my-events", prefix: "market/" };
const body = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;

test.each([
  [403, body("AccessDenied"), "allow it s3:PutObject on arn:aws:s3:::my-events/market/*."],
  [404, body("NoSuchBucket"), "There is no bucket my-events"],
  [301, "", "in another region than the endpoint names"],
  [400, body("AuthorizationQueryParametersError"), "in another region than the endpoint names"],
  [503, body("SlowDown"), "asked for fewer requests"],
  [500, body("InternalError"), "answered 500 (InternalError)."],
  [500, body("constructor"), "answered 500 (constructor)."],
  [502, "<html>", "answered 502."],
])("a response with status %s and body %j is explained to the owner of the bucket", (status, responseBody, words) => {
  expect(bucketFaultInWords({ status, responseBody }, place)).toContain(words);
});
