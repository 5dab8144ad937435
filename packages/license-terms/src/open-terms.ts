import { builtInTerms } from "./built-in.ts";
import type { Terms } from "./terms.ts";

/**
 * Returns the terms of new orders: the terms in the folder LICENSE_TERMS, or the built-in terms without a folder.
 * Throws an OperatorError that names the invalid file and its expected content. Only a folder needs the check of
 * `limits.json`, whose library takes a tenth of a server's start.
 */
export const openTerms = async (folder: string | undefined): Promise<Terms> =>
  folder === undefined ? builtInTerms : (await import("./folder.ts")).readTermsFolder(folder);
