import { readQuery } from "@beatmarket/foundation/text/search-words.ts";
import { hasCardNumber, quoted, withoutSecrets } from "@beatmarket/foundation/text/secrets.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import { readByteRange } from "@beatmarket/http/byte-range.ts";
import { Proxies } from "@beatmarket/http/forwarded.ts";
import { readBody } from "@beatmarket/http/input/body.ts";
import { firstSecond } from "@beatmarket/http/input/times.ts";
import { readParameters } from "@beatmarket/http/input/validate.ts";
import { decodeAfter } from "@beatmarket/http/listing/after-token.ts";
import { chooseEncoding } from "@beatmarket/http/negotiation/encodings.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { chooseForm } from "@beatmarket/http/negotiation/forms.ts";
import { parseEndpointUrl } from "@beatmarket/webhooks/address/endpoint-url.ts";
import { diagnose } from "@beatmarket/webhooks/debugging/doctor.ts";
import { parseHeaders } from "@beatmarket/webhooks/debugging/signed-curl.ts";
import Stripe from "stripe";
import Type from "typebox";

const proxies = new Proxies({ endTls: true, trusted: ["::/0", "0.0.0.0/0"] });

/** A parser of callers' texts, with the longest text that reaches it. */
export interface Parser {
  name: string;
  maxLength: number;
  parse(text: string): unknown;
}

/** Node's limit for the request line and headers together. */
const headers = 16_384;
/** docs/api/limits.md, Sizes and timeouts. */
const body = 100_000;

const schema = Type.Object({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  bio: Type.Optional(Type.String({ "x-multiline": true })),
  website: Type.Optional(Type.String({ format: "uri" })),
});
const json = (text: string) => readBody(schema, "application/json", Buffer.from(text));
const stripe = new Stripe("sk_test_none");

export const parsers: readonly Parser[] = [
  { name: "query", maxLength: headers, parse: (text) => readParameters(schema, new URLSearchParams(text)) },
  { name: "parameter", maxLength: headers, parse: (text) => readParameters(schema, [["q", text]]) },
  { name: "integer", maxLength: headers, parse: (text) => readParameters(schema, [["page", text]]) },
  { name: "body", maxLength: body, parse: json },
  { name: "body's field", maxLength: body, parse: (bio) => json(JSON.stringify({ bio })) },
  { name: "body's address", maxLength: 2_048, parse: (rest) => json(JSON.stringify({ website: `https://a/${rest}` })) },
  { name: "body's unknown field", maxLength: body, parse: (name) => json(JSON.stringify({ [name]: 1 })) },
  { name: "Accept", maxLength: headers, parse: chooseForm },
  { name: "Accept-Encoding", maxLength: headers, parse: (text) => chooseEncoding(text, 10_000) },
  { name: "If-None-Match", maxLength: headers, parse: (text) => matchesEntityTag(text, '"tag"') },
  { name: "Range", maxLength: headers, parse: (text) => readByteRange(`bytes=${text}`, 1_000) },
  {
    name: "X-Forwarded-For",
    maxLength: headers,
    parse: (text) => proxies.clientAddress({ "x-forwarded-for": text }, "::1"),
  },
  { name: "address", maxLength: headers, parse: clientNetwork },
  { name: "after", maxLength: headers, parse: (text) => decodeAfter(text, "scope", { keyType: "text" }) },
  { name: "search", maxLength: headers, parse: readQuery },
  { name: "time", maxLength: headers, parse: (text) => firstSecond("created_after", text) },
  { name: "redaction", maxLength: body, parse: withoutSecrets },
  { name: "quotation", maxLength: body, parse: (text) => quoted(text) },
  { name: "card number", maxLength: body, parse: hasCardNumber },
  {
    name: "webhook address",
    maxLength: 2_048,
    parse: (text) => parseEndpointUrl(`https://${text}`, { allowPrivate: false }),
  },
  { name: "doctor's headers", maxLength: body, parse: parseHeaders },
  {
    name: "doctor's body",
    maxLength: 60_000,
    parse: (text) =>
      diagnose({
        headers: { "x-webhook-signature": "sha256=0" },
        body: Buffer.from(text),
        secret: "whsec_none",
        nowSeconds: 0,
      }),
  },
  {
    name: "Stripe-Signature",
    maxLength: headers,
    parse: (text) => stripe.webhooks.constructEvent(Buffer.from("{}"), text, "whsec_none"),
  },
];

/** Texts that were the worst case of some parser. They are repeated up to the longest text that reaches the parser. */
const units = [
  ..."a0 \t\n\r,;:=&%\"'\\/.-_[]{}()*+$!?#@<>…é🎵\u0300\u200b\u202e",
  "%F0%9F%8E%B5",
  "%E0%A4",
  "a=1&",
  '"a":1,',
  '{"a":',
  '"\\',
  "\\u0000",
  '\\"',
  '"cv',
  "cv",
  "bm_a",
  "whsec_",
  "4242 ",
  "1 2-",
  "x-a: b\n",
  "a/b;q=0.1,",
  "gzip;q=1,",
  'W/"a",',
  "t=1,v1=0,",
  "ffff:",
  "1.1.",
  "$a",
  "a!",
];

/** Texts of about this length: each unit is repeated, once alone and twice between two other characters. */
export function adversarialTexts(length: number): string[] {
  return units.flatMap((unit) => {
    const run = unit.repeat(Math.floor(length / unit.length));
    return [run, `"${run.slice(2)}\0`, `a${run.slice(2)}!`];
  });
}

/** Runs a parser and ignores whether it accepts the text. */
export function attempt({ parse }: Parser, text: string): void {
  try {
    parse(text);
  } catch {
    // Refusals count like results: only the time matters.
  }
}
