import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { parseVerifierKey } from "@beatmarket/transparency-log/note.ts";
import type { WitnessAddress } from "@beatmarket/transparency-log/witness.ts";

/** Reads `LICENSE_LOG_WITNESSES`: a verifier key and the submission prefix of each witness. */
export function licenseLogWitnesses(value: string | undefined): WitnessAddress[] {
  if (value === undefined) return [];
  return value.split(",").map((pair) => {
    const [key = "", url = "", ...more] = pair.trim().split(/\s+/);
    try {
      const { protocol, href } = new URL(url);
      if (more.length > 0 || !["https:", "http:"].includes(protocol)) throw new TypeError();
      return { verifier: parseVerifierKey(key, "cosignature"), url: href.replace(/\/$/, "") };
    } catch {
      throw new OperatorError(
        `LICENSE_LOG_WITNESSES has "${pair.trim()}"; it takes the verifier key and the address of each witness, such as "witness.example/w1+8d66cf3f+BAC… https://witness.example", separated by commas.`,
      );
    }
  });
}
