// Prints the claims of a certificate whose signature is valid: node jose-verifier.mjs MODULE JWKS JWS.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [module, jwks, jws] = process.argv.slice(2);
const { compactVerify, createLocalJWKSet } = await import(pathToFileURL(module));
const keys = createLocalJWKSet(JSON.parse(await readFile(jwks, "utf8")));
const { payload } = await compactVerify(await readFile(jws, "utf8"), keys, { algorithms: ["EdDSA"] });
process.stdout.write(new TextDecoder().decode(payload));
