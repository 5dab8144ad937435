import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { licenseTypes } from "../../beats/licensing/licenses.ts";
import { licenseStates } from "../../licenses/answers/judge.ts";
import { fileKinds } from "./fulfilment.ts";

const OrderFile = Type.Object(
  {
    kind: Type.Enum([...fileKinds], {
      description:
        "`mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.",
    }),
    filename: Type.String({ description: "The name under which a browser saves it." }),
    bytes: Type.Integer({ format: "int64", minimum: 0, description: "Size of the file." }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Hash of the file's bytes." }),
    url: Type.String({
      format: "uri",
      description:
        "A signed link: any client that has it can download the file until it expires, without a key. It supports `Range`.",
    }),
    expires_at: Type.String({
      format: "date-time",
      description: "ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.",
    }),
  },
  { $id: "OrderFile", description: "A file of an order. Its `url` needs no key until it expires." },
);

const IssuedLicense = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    url: Type.String({ format: "uri", description: "The public page that says whether the license is valid." }),
    jws: Type.String({
      description: "The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`.",
    }),
    type: Type.Enum([...licenseTypes]),
    terms_version: Type.String({ description: "The version of the terms of the sale." }),
    status: Type.Enum([...licenseStates], {
      description:
        "`expired` once its last day is over, `refunded` once the order is refunded in full, `replaced` once an upgrade or renewal replaced it.",
    }),
  },
  { $id: "IssuedLicense", description: "The license of an order." },
);

export const OrderFiles = Type.Object(
  {
    files: Type.Array(OrderFile, {
      description: "The files of the license, in the order mp3, wav, stems, license. Empty once refunded in full.",
    }),
    license: IssuedLicense,
  },
  { $id: "OrderFiles", description: "The files and the license of a completed order." },
);

export const OrderFilesResponse: ResponseSchemas = { status: 200, reference: OrderFiles, console: OrderFiles };
