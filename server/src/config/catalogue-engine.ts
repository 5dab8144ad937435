import { type EngineAddress, engineAddress } from "@beatmarket/catalogue-opensearch/address.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** Reads `CATALOGUE_ENGINE`. Null: the index in the memory of each server. */
export function catalogueEngine(value: string | undefined): EngineAddress | null {
  if (value === undefined) return null;
  const address = engineAddress(value);
  // The message omits the URL, which may contain a password.
  if (address === null)
    throw new OperatorError(
      "CATALOGUE_ENGINE takes the nodes of an OpenSearch cluster, such as opensearch://one:9200,two:9200, opensearch://user:password@one:9200/prefix or, with TLS, opensearch+tls://one:9200.",
    );
  return address;
}
