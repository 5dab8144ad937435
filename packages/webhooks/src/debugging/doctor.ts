import { createHmac } from "node:crypto";
import { bodySignature, signatureHeaders, toleranceSeconds } from "../signature.ts";

/** A delivery that a receiver rejects, as the receiver's owner copied it. */
export interface Evidence {
  /** The request's headers, in any letter case. */
  headers: Record<string, string>;
  /** The bytes that the receiver verified. */
  body: Buffer;
  /** The receiver's secret. */
  secret: string;
  nowSeconds: number;
  /** The signature that the receiver's code computed. */
  computed?: string | undefined;
}

/** The possible findings. The portal's page links to the paragraph of docs/webhooks.md on each. */
export const findings = [
  "valid",
  "no-signature",
  "previous-secret",
  "other-secret",
  "secret-text",
  "changed-body",
  "newline",
  "signed-text",
  "encoding",
  "other-method",
  "standard-headers",
  "stale-timestamp",
] as const;

export type Finding = (typeof findings)[number];

export interface Diagnosis {
  /** True if a receiver that follows docs/webhooks.md accepts the delivery, and `computed`, if given, is right. */
  ok: boolean;
  finding: Finding;
  /** A sentence. */
  cause: string;
  /** A sentence; empty for a valid delivery. */
  advice: string;
}

/** Explains why a receiver rejects the signature of a delivery. */
export function diagnose(evidence: Evidence): Diagnosis {
  const { body, secret, nowSeconds, computed } = evidence;
  const headers = new Map(Object.entries(evidence.headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const signature = headers.get("x-webhook-signature");
  if (signature === undefined) return missing;
  if (signature !== bodySignature(body, secret)) return mismatch(evidence, headers, signature);
  return (
    wrongDigest(evidence, headers, computed?.trim()) ??
    standardMismatch(evidence, headers) ??
    staleness(headers, nowSeconds) ?? { ok: true, finding: "valid", cause: "The signature is right.", advice: "" }
  );
}

const problem = (finding: Finding, cause: string, advice: string): Diagnosis => ({ ok: false, finding, cause, advice });

const missing = problem(
  "no-signature",
  "There is no X-Webhook-Signature among the headers.",
  "Pass the headers unchanged. A proxy may drop headers it does not know, and WSGI, Rack and PHP name this header HTTP_X_WEBHOOK_SIGNATURE.",
);

const rawBody =
  "Verify the raw bytes of the request's body, before anything parses or changes it, as in docs/webhooks.md.";

function mismatch(evidence: Evidence, headers: ReadonlyMap<string, string>, signature: string): Diagnosis {
  const { body, secret } = evidence;
  if (headers.get("x-webhook-signature-previous") === bodySignature(body, secret))
    return problem(
      "previous-secret",
      "This is the secret from before a rotation: X-Webhook-Signature-Previous matches it.",
      "Give the receiver the new secret. Until it has it, let it accept X-Webhook-Signature-Previous as well.",
    );
  const deviations = deviationsOf(signature, evidence, headers);
  if (deviations !== null) return deviationDiagnosis("X-Webhook-Signature", deviations);
  if (!isAsSent(body))
    return problem(
      "changed-body",
      "The body is not what was sent: it is not valid JSON, or JSON that something has parsed and written again.",
      rawBody,
    );
  return problem(
    "other-secret",
    "The delivery was signed with another secret, or its body was changed.",
    "Compare the secret with the endpoint's: each endpoint has its own, and rotating replaces it (beatmarket webhooks rotate). If it is the same, log the raw body and compare it with the delivery's.",
  );
}

function wrongDigest(
  evidence: Evidence,
  headers: ReadonlyMap<string, string>,
  computed: string | undefined,
): Diagnosis | null {
  const { body, secret } = evidence;
  if (computed === undefined || computed === bodySignature(body, secret)) return null;
  const deviations = deviationsOf(computed, evidence, headers);
  if (deviations !== null) return deviationDiagnosis("The delivery is right; what the receiver computed", deviations);
  return problem(
    "other-method",
    "The delivery is right; what the receiver computed comes from another secret, another body or another method.",
    `It is HMAC with SHA-256, keyed with the whole secret, as lower-case hex. ${rawBody}`,
  );
}

function standardMismatch({ body, secret }: Evidence, headers: ReadonlyMap<string, string>): Diagnosis | null {
  const [list, id, timestamp] = ["webhook-signature", "webhook-id", "webhook-timestamp"].map((name) =>
    headers.get(name),
  );
  if (list === undefined) return null;
  const timestampSeconds = Number(timestamp);
  const expected = signatureHeaders({ id: id ?? "", timestampSeconds, body }, [secret])["webhook-signature"] ?? "";
  if (list.split(" ").includes(expected)) return null;
  return problem(
    "standard-headers",
    "X-Webhook-Signature is right, but webhook-signature is not: webhook-id or webhook-timestamp was changed or is missing.",
    "Pass the three webhook- headers on unchanged.",
  );
}

function staleness(headers: ReadonlyMap<string, string>, nowSeconds: number): Diagnosis | null {
  const timestamp = headers.get("webhook-timestamp");
  if (timestamp === undefined) return null;
  const ageSeconds = nowSeconds - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return null;
  const is = ageSeconds > 0 ? `${ageSeconds} seconds old` : `${-ageSeconds} seconds in the future`;
  return problem(
    "stale-timestamp",
    `The signature is right, but the timestamp is stale: ${is}; verifiers accept at most ${toleranceSeconds} seconds.`,
    "Check the receiver's clock, and verify before a queue, not after it. For a recorded delivery this is to be expected: each attempt has a new signature.",
  );
}

/** One common mistake in computing a signature. */
interface Deviation {
  finding: Finding;
  /** The predicate of a sentence whose subject is the signature. */
  predicate: string;
  advice: string;
}
/** A value to try, and the mistake that leads to it. The correct value has no mistake. */
type Variant<Value> = [value: Value, deviation?: Deviation];

const deviationDiagnosis = (subject: string, deviations: readonly Deviation[]): Diagnosis =>
  problem(
    deviations[0]?.finding ?? "other-method",
    `${subject} is ${deviations.map(({ predicate }) => predicate).join(", and ")}.`,
    [...new Set(deviations.map(({ advice }) => advice))].join(" "),
  );

/** The smallest set of mistakes that explains the signature; null if no combination of mistakes does. */
function deviationsOf(
  signature: string,
  { body, secret }: Evidence,
  headers: ReadonlyMap<string, string>,
): Deviation[] | null {
  let closest: Deviation[] | null = null;
  for (const [key, ofKey] of keys(secret))
    for (const [message, ofMessage] of messages(body, headers)) {
      const digest = createHmac("sha256", key).update(message).digest();
      for (const [encoded, ofEncoding] of encodings(digest)) {
        if (encoded !== signature) continue;
        const deviations = [ofKey, ofMessage, ofEncoding].filter((deviation) => deviation !== undefined);
        if (closest === null || deviations.length < closest.length) closest = deviations;
      }
    }
  return closest;
}

function keys(secret: string): Variant<string | Buffer>[] {
  const finding = "secret-text";
  const encoded = secret.trim().replace(/^whsec_/, "");
  const wholeSecretRule = "The key is the whole secret as shown, whsec_ included, as text.";
  const clean = "Read the secret without the spaces and line breaks around it.";
  return [
    [secret],
    [
      secret.trim(),
      { finding, predicate: "made with the secret without the white space that is around it here", advice: clean },
    ],
    [`${secret}\n`, { finding, predicate: "made with the secret and a line break after it", advice: clean }],
    [
      Buffer.from(encoded, "base64"),
      {
        finding,
        predicate: "made with the bytes that the secret's base64 stands for as the key",
        advice: `${wholeSecretRule} The decoded bytes are the key of webhook-signature only.`,
      },
    ],
    [
      encoded,
      { finding, predicate: "made with the part of the secret after whsec_ as the key", advice: wholeSecretRule },
    ],
    [
      `whsec_${encoded}`,
      { finding, predicate: "made with the whole secret, of which whsec_ is missing here", advice: wholeSecretRule },
    ],
  ];
}

function withoutLineBreaksAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}

function messages(body: Buffer, headers: ReadonlyMap<string, string>): Variant<string | Buffer>[] {
  const text = body.toString("utf8");
  const raw = (predicate: string): Deviation => ({ finding: "changed-body", predicate, advice: rawBody });
  const newline = "Neither add nor remove a line break at the end of the body.";
  const standard = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.`;
  return [
    [body],
    [
      withoutLineBreaksAtEnd(text),
      { finding: "newline", predicate: "made without the trailing newline that the body has here", advice: newline },
    ],
    [
      `${text}\n`,
      {
        finding: "newline",
        predicate: "made with a trailing newline that the body does not have here",
        advice: newline,
      },
    ],
    [
      `${text}\r\n`,
      {
        finding: "newline",
        predicate: "made with a trailing newline that the body does not have here",
        advice: newline,
      },
    ],
    [text.replaceAll("\r\n", "\n"), raw("made over other line breaks than the body has here")],
    [text.replace(/^\uFEFF/, ""), raw("made without the byte order mark that the body has here")],
    [Buffer.from(text, "latin1"), raw("made over the body before it was read as Latin-1 and written as UTF-8")],
    ...reserializations(text).map(
      (message): Variant<string> => [message, raw("made over other JSON text: the JSON was re-serialised")],
    ),
    ["", raw("made over an empty body, which something had read before")],
    ["[object Object]", raw("made over the text [object Object], that is, over a parsed body")],
    [
      Buffer.concat([Buffer.from(standard), body]),
      {
        finding: "signed-text",
        predicate: "made over id, timestamp and body, as webhook-signature is",
        advice: "X-Webhook-Signature is made over the body only.",
      },
    ],
  ];
}

/** The JSON as the service writes it, and as common serializers of other languages write it. */
function reserializations(text: string): string[] {
  const value = parseObject(text);
  if (value === null) return [];
  const asSent = JSON.stringify(inSentOrder(value));
  const spaced = JSON.stringify(value, null, 1)
    .replace(/\n */g, " ")
    .replace(/([[{]) /g, "$1")
    .replace(/ ([\]}])/g, "$1");
  return [
    asSent,
    asciiOnly(asSent),
    asciiOnly(asSent).replaceAll("/", "\\/"),
    spaced,
    asciiOnly(spaced),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
  ];
}

const asciiOnly = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const inSentOrder = ({ id, created, type, data, ...rest }: Record<string, unknown>): object => ({
  id,
  created,
  type,
  data,
  ...rest,
});

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Whether the body can be the original bytes: parsing and serializing it yields the same bytes. */
function isAsSent(body: Buffer): boolean {
  const value = parseObject(body.toString("utf8"));
  return value !== null && Buffer.from(JSON.stringify(inSentOrder(value))).equals(body);
}

/** A digest in the correct encoding and in common wrong encodings. */
const encodings = (digest: Buffer): Variant<string>[] => {
  const hex = digest.toString("hex");
  const finding = "encoding";
  const advice = "The signature is written as lower-case hex.";
  return [
    [hex],
    [hex.toUpperCase(), { finding, predicate: "written in upper-case instead of lower-case hex", advice }],
    [digest.toString("base64"), { finding, predicate: "written as base64 instead of hex", advice }],
    [digest.toString("base64url"), { finding, predicate: "written as base64 instead of hex", advice }],
    [
      `sha256=${hex}`,
      { finding, predicate: "written with sha256= before it", advice: "The signature has nothing before it." },
    ],
  ];
};
