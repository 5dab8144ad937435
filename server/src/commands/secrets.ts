import { resealAuthenticators } from "@beatmarket/authentication/authenticator-rows.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import {
  changeSealingKey,
  isSealedUnder,
  openSecretBox,
  type Place,
  readSealingKey,
  type SecretBox,
  sealUnder,
} from "@beatmarket/secret-box/secret-box.ts";
import { addKey, keepTwoKeys, keyFile } from "@beatmarket/secret-box/secret-keys.ts";
import { resealSigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { type ResealResult, resealEndpoints } from "@beatmarket/webhooks/endpoints/reseal.ts";
import type { Command } from "commander";
import { sql } from "kysely";
import type { Config } from "../config.ts";
import type { Database, Queryable } from "../database/connect.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

/** `secrets rotate`. */
export function secretsCommand(secrets: Command): void {
  secrets
    .command("rotate")
    .description("Seal every secret under the new key, while servers and workers run.")
    .option(
      "--lost-key",
      "continue without the former key; endpoints sealed under it need new secrets, and certificates need a new signing key",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Without SECRET_KEY, the command writes a new key to DATA_DIR/secret-key, where running servers find it. With SECRET_KEY, first
give every server and worker the new key as SECRET_KEY and the present one as SECRET_KEY_PREVIOUS; then run the command with
both. After an interruption, run it again. docs/operating.md explains each step.`,
    )
    .action((options: { lostKey?: true; json?: true }) =>
      withDatabase(async (database, config) => {
        const outcome = await withRotationLock(database, (db) => rotate(db, config, options.lostKey === true));
        printResult(options.json, forJson(outcome), readable(outcome, config));
        if (!isWhole(outcome)) process.exitCode = 1;
      }),
    );
}

interface Rotation extends ResealResult {
  key: string;
  signingKeys: { resealed: number; unopened: string[] };
  authenticators: { resealed: number; unopened: string[] };
  /** The previous key; null if the sealing key is the same as before. */
  previousKey: string | null;
}

/** Runs `work`. Throws an OperatorError if another process rotates now. */
async function withRotationLock(database: Database, work: (db: Queryable) => Promise<Rotation>): Promise<Rotation> {
  return database.query.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(hashtext('beatmarket:secrets rotate')) as locked`.execute(connection);
    if (!rows[0]?.locked) throw new OperatorError("Another `secrets rotate` is running. Wait until it has ended.");
    return work(connection);
  });
}

async function rotate(db: Queryable, config: Config, mayLackKey: boolean): Promise<Rotation> {
  const box = await openSecretBox(config);
  if (!mayLackKey) await box.refresh(db);
  if (config.secretKey !== undefined) return moveTo(db, box);
  // With more than one key, an earlier rotation may be incomplete. It is completed first.
  if (box.keys.all.length > 1) {
    const rotation = await moveTo(db, box);
    if (resealedTotal(rotation) > 0 || rotation.previousKey !== null) return finished(rotation, config);
  }
  await addKey(config.dataDir);
  box.keys.reload();
  return finished(await moveTo(db, box), config);
}

/** Sets the newest key as the sealing key, then seals all secrets under it. */
async function moveTo(db: Queryable, box: SecretBox): Promise<Rotation> {
  const { newest, oldest } = box.keys;
  const { id: before } = await readSealingKey(db);
  await changeSealingKey(db, newest.id);
  const print = (count: number) => process.stderr.write(`Sealed ${count} endpoints under the key ${newest.id}.\n`);
  const underNewest = (sealed: string, place: Place) =>
    isSealedUnder(newest, sealed) ? sealed : sealUnder(newest, place, box.open(sealed, place));
  const resealed = await resealEndpoints(db, underNewest, print);
  const signingKeys = await resealSigningKeys(db, box, newest);
  const authenticators = await resealAuthenticators(db, box, newest);
  const previousKey = before ?? oldest.id;
  return {
    ...resealed,
    signingKeys,
    authenticators,
    key: newest.id,
    previousKey: previousKey === newest.id ? null : previousKey,
  };
}

async function finished(rotation: Rotation, { dataDir }: Config): Promise<Rotation> {
  if (isWhole(rotation)) await keepTwoKeys(dataDir);
  return rotation;
}

const isWhole = ({ unopened, signingKeys, authenticators }: Rotation): boolean =>
  unopened.length === 0 && signingKeys.unopened.length === 0 && authenticators.unopened.length === 0;

const resealedTotal = ({ resealed, signingKeys, authenticators }: Rotation): number =>
  resealed + signingKeys.resealed + authenticators.resealed;

const forJson = ({ key, previousKey, resealed, unopened, signingKeys, authenticators }: Rotation) => ({
  key,
  previous_key: previousKey,
  resealed,
  unopened,
  signing_keys: signingKeys,
  authenticators,
});

function readable(rotation: Rotation, { secretKey, dataDir }: Config): string {
  const { key, previousKey, resealed, unopened, signingKeys, authenticators } = rotation;
  const lines: string[] = [];
  if (previousKey === null && resealedTotal(rotation) === 0)
    lines.push(
      `Every secret is sealed under the key ${key} already.`,
      "To change it, give every server and worker a new SECRET_KEY, and this one as SECRET_KEY_PREVIOUS; then run this again with both.",
    );
  else {
    lines.push(
      `Secrets are sealed under the key ${key}${previousKey === null ? "" : `, no longer under ${previousKey}`}.`,
    );
    lines.push(
      `Endpoints re-sealed: ${resealed}. Keys of license certificates: ${signingKeys.resealed}. Authenticators: ${authenticators.resealed}.`,
    );
    if (previousKey !== null)
      lines.push(
        secretKey === undefined
          ? `Add a copy of ${keyFile(dataDir)} to your backups. Keep the former copies: older backups of the database need them.`
          : "After 7 days, remove SECRET_KEY_PREVIOUS from every server and worker. Sessions that were not used by then have ended.",
      );
  }
  if (unopened.length > 0)
    lines.push(
      `No key opens the secrets of endpoint ${unopened.join(", ")}. Give each endpoint a new secret: \`npx beatmarket webhooks rotate ID\`. A bucket also needs its access key again, in the portal.`,
    );
  if (signingKeys.unopened.length > 0)
    lines.push(
      `No key opens the private key of certificates ${signingKeys.unopened.join(", ")}. Make a new key: \`npx beatmarket licenses keys rotate\`.`,
    );
  if (authenticators.unopened.length > 0)
    lines.push(
      `No key opens the authenticators of ${authenticators.unopened.join(", ")}. Their recovery codes still work.`,
    );
  return lines.join("\n");
}
