import { ApiError } from "@beatmarket/foundation/errors.ts";
import { ForbiddenAddress } from "./address/public-addresses.ts";

const sentences: Record<string, string> = {
  ECONNREFUSED: "The receiver refused the connection: nothing listens on that port.",
  ECONNRESET: "The receiver closed the connection before it responded.",
  EPIPE: "The receiver closed the connection before it read the delivery.",
  ETIMEDOUT: "The receiver could not be reached: connecting took too long.",
  ENETUNREACH: "The receiver could not be reached: there is no route to its network.",
  EHOSTUNREACH: "The receiver could not be reached: there is no route to its host.",
  ENOTFOUND: "The receiver's name does not exist.",
  ENODATA: "The receiver's name has no address.",
  EAI_AGAIN: "The receiver's name could not be looked up: its name server did not respond.",
  ESERVFAIL: "The receiver's name could not be looked up: its name server failed.",
  ETIMEOUT: "The receiver's name could not be looked up: its name server did not respond.",
  HPE_HEADER_OVERFLOW: "The receiver's response has more than 16 kB of headers.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed; use one of a public authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate comes from an authority that is not publicly trusted.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The receiver's certificate comes from an authority that is not publicly trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The receiver's certificate could not be traced to a trusted authority; its server probably leaves out the intermediate certificate.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
};

/** The reason why a request failed, as a sentence for the owner of the receiver. */
export function failureInWords(error: unknown): string {
  if (error instanceof ForbiddenAddress) return error.message;
  if (error instanceof ApiError) return error.details;
  const code = codeOf(error);
  const sentence = sentences[code];
  if (sentence !== undefined) return sentence;
  if (code === "EPROTO" || /^(ERR_SSL_|ERR_TLS_)/.test(code)) return `No TLS connection could be made (${code}).`;
  if (code.startsWith("HPE_")) return `The receiver's response is not HTTP (${code}).`;
  return `The delivery failed: ${error instanceof Error ? error.message : String(error)}.`;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** The reason why a response other than 2xx counts as a failure, as a sentence. */
export function statusInWords(status: number): string {
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed: set the endpoint to the final address.`;
  if (status === 410) return "The receiver answered 410 Gone, which asks for no more deliveries.";
  return `The receiver answered ${status}. Only 2xx says that a delivery was received.`;
}
