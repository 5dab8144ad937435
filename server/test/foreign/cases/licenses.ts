import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { clauses } from "@beatmarket/license-terms/clauses.ts";
import { uses } from "@beatmarket/license-terms/judge.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { type ChangedLimits, highestLimit } from "@beatmarket/license-terms/limits.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import { sql } from "kysely";
import { readConfig } from "../../../src/config.ts";
import { openDatabase } from "../../../src/database/open.ts";
import {
  type CertificateFacts,
  certificatePrinter,
  issueLicense,
  type License,
  type LicenseParts,
} from "../../../src/resources/licenses/certificate.ts";
import { insertSoldOrder } from "../../harness/database/orders.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import type { Market } from "../market.ts";
import { run, runToSuccess } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const callers = join(import.meta.dirname, "../callers");
const veraPdf = "org.verapdf.apps.GreenfieldCliWrapper";

/** Realistic names, and a name that attempts an injection. */
const names: Readonly<Record<string, string>> = {
  latin: "Zoë Ångström",
  polish: "Żaneta Święta-Łęcka",
  korean: "김민준",
  japanese: "山田さくら",
  hebrew: "שלומית",
  arabic: "نور",
  emoji: "🎧🔥",
  hostile: `#panic("x") \u202e$a$ \u0000${"W".repeat(200)} สวัสดี`,
};

export interface IssuedLicense {
  license: License;
  orderId: number;
  name: string;
  pdf: string;
}

interface Expectation {
  /** The name of the beat, of the producer and of the buyer. */
  name: string;
  facts?: Pick<CertificateFacts, "licenseType" | "changedLimits">;
}

/** Issues a license to each name with the server's database, keys and storage, and writes the PDFs into a folder. */
export const issued = (market: Market, folder: string): Promise<Record<string, IssuedLicense>> =>
  issueAll(market, folder, Object.fromEntries(Object.entries(names).map(([script, name]) => [script, { name }])));

async function issueAll(
  market: Market,
  folder: string,
  buyers: Readonly<Record<string, Expectation>>,
): Promise<Record<string, IssuedLicense>> {
  const config = readConfig(market.environment);
  const database = await openDatabase(config, { log: () => {}, mustExist: true });
  const printer = new DocumentPrinter();
  try {
    const { query: db } = database;
    const objects = await openObjects(db, config);
    const parts: LicenseParts = {
      clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
      publicUrl: market.origin,
      terms: builtInTerms,
      keys: new SigningKeys(db, await openSecretBox(config)),
      printer: certificatePrinter(printer),
      proofOf: async () => null,
      objects,
      scratch: new ScratchFolders(join(folder, "scratch")),
      issuing: new Map(),
    };
    await mkdir(folder, { recursive: true });
    const issuedByFile: Record<string, IssuedLicense> = {};
    for (const [file, { name, facts: orderFacts }] of Object.entries(buyers)) {
      // The database refuses NUL, and the names of orders are checked. A certificate accepts any name.
      const facts = await insertSoldOrder(database, orderFacts);
      // Marks the beat as sold. Otherwise later cases could buy it again, and the license log would look manipulated.
      if (facts.licenseType === "exclusive")
        await db
          .updateTable("beats")
          .set({ exclusive_state: "sold", exclusive_order_id: facts.orderId, is_listed: false })
          .where("id", "=", facts.beatId)
          .execute();
      const license = await issueLicense(db, parts, { ...facts, beatTitle: name, producerName: name, buyerName: name });
      const pdf = join(folder, `${file}.pdf`);
      await writeFile(pdf, (await objects.open(license.pdf.sha256)) as never);
      issuedByFile[file] = { license, orderId: facts.orderId, name, pdf };
    }
    return issuedByFile;
  } finally {
    await printer.close();
    await database.close();
  }
}

/** Refunds orders in full. */
export async function refund(market: Market, orderIds: readonly number[]): Promise<void> {
  const database = await openDatabase(readConfig(market.environment), { log: () => {}, mustExist: true });
  try {
    await sql`update orders set refunded_cents = amount_cents, refunded_at = now()
      where id = any (${orderIds}::bigint[])`.execute(database.query);
  } finally {
    await database.close();
  }
}

const archived: Case = {
  name: "licenses-verapdf",
  about: "veraPDF: certificates are PDF/A-2a, whatever the names",
  async run(bench: Bench, report) {
    const [market, tool] = [await bench.market(), await bench.install(tools.veraPdf)];
    const cwd = await bench.folder();
    for (const [script, { pdf }] of Object.entries(await issued(market, cwd))) {
      const args = ["-cp", join(tool, "lib/*"), veraPdf, "--format", "text", "--flavour", "2a", pdf];
      const { status, output } = await run("java", args, { cwd });
      report.check(`${script}: PDF/A-2a`, status === 0 && /^PASS /m.test(output), output.slice(-300));
    }
  },
};

const readBack: Case = {
  name: "licenses-pypdf",
  about: "pypdf: a certificate's text has the names as they are written, and the sentence of each clause that says no",
  async run(bench: Bench, report) {
    const [market, tool] = [await bench.market(), await bench.install(tools.pypdf)];
    const cwd = await bench.folder();
    const textOf = (pdf: string) =>
      runToSuccess(join(tool, "bin/python3"), [join(callers, "pypdf_reader.py"), pdf], { cwd });
    for (const [script, { pdf, name, license }] of Object.entries(await issued(market, cwd))) {
      const text = await textOf(pdf);
      if (script !== "hostile") report.check(`${script}: the PDF has the name`, text.includes(name), name);
      report.check(`${script}: the PDF has the license's id`, text.includes(license.id), license.id);
    }
    const key = await market.key("pypdf@example.com");
    const refused = new Set<string>();
    for (const [file, changedLicense] of Object.entries(await issueAll(market, cwd, changedLicenses()))) {
      const sentences = await refusals(market, key, changedLicense);
      for (const clause of sentences.keys()) refused.add(clause);
      const printed = words(await textOf(changedLicense.pdf));
      const missing = [...sentences].filter(([, text]) => !printed.includes(words(text)));
      report.check(
        `${file}: the sentences of ${sentences.size} clauses that can refuse a use`,
        missing.length === 0,
        missing.map(([clause, text]) => `${clause}: ${text}`).join(),
      );
      // The page does not contain the same sentence with another number.
      const planted = sentences.get("publishing")?.replaceAll("50", "51") ?? "";
      report.check(
        `${file}: a missing sentence is detected`,
        planted !== "" && !printed.includes(words(planted)),
        planted,
      );
    }
    const untested = refusable.filter((clause) => !refused.has(clause));
    report.check("each clause that can refuse a use has refused one", untested.length === 0, untested.join());
  },
};

/** Every type with the limits of its terms, and with a producer's lowest limits, limits of 1 and highest limits. */
const changedLicenses = (): Record<string, Expectation> =>
  Object.fromEntries(
    licenseTypes.flatMap((licenseType) => {
      const { limits } = builtInTerms.texts[licenseType];
      const limitsOf = (end: "lowest" | "highest"): ChangedLimits =>
        Object.fromEntries(clauses.map((clause) => [clause, limits?.bounds[clause][end] ?? null]));
      const name = "Zoë Ångström";
      return [
        [`${licenseType} as usual`, { name, facts: { licenseType, changedLimits: null } }],
        [`${licenseType} with the least`, { name, facts: { licenseType, changedLimits: limitsOf("lowest") } }],
        [`${licenseType} with one of each`, { name, facts: { licenseType, changedLimits: ones } }],
        [`${licenseType} with the most`, { name, facts: { licenseType, changedLimits: limitsOf("highest") } }],
      ];
    }),
  );

/** A limit of 1, which is raised to the minimum of its clause. */
const ones: ChangedLimits = Object.fromEntries(clauses.map((clause) => [clause, 1]));

/** The clauses of the built-in terms that refuse some question. */
const refusable: readonly string[] = [
  ...new Set([
    ...Object.values(uses)
      .filter(({ rule }) => rule !== "always" && rule !== "unspoken")
      .map(({ clause }) => clause),
    ...["years", "refund"],
  ]),
];

/**
 * Asks about every use in the highest quantity, about a distant day, and after a refund. Returns the sentence of each
 * clause that refused a question.
 */
async function refusals(
  market: Market,
  key: string,
  { license, orderId }: IssuedLicense,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const ask = async (question: object) => {
    const { verdict } = await market.call<{
      verdict: { allowed: string; because: { clause: string; text: string } | null };
    }>(key, `/licenses/${license.id}/may`, question);
    if (verdict.allowed === "no" && verdict.because !== null) texts.set(verdict.because.clause, verdict.because.text);
  };
  for (const use of Object.keys(uses)) await ask({ use, quantity: highestLimit });
  await ask({ use: "song", on: "9999-12-31" });
  await refund(market, [orderId]);
  await ask({ use: "song" });
  return texts;
}

/** The text without the places at which lines of a page break: spaces and hyphens. */
const words = (text: string): string => text.replaceAll(/[\s\u00ad\u200b]+|-\n/g, "");

/** Verifies certificates from before and after a rotation with the served keys, and refuses a changed one. */
const verifying = (library: string, program: (bench: Bench) => Promise<[string, ...string[]]>): Case => ({
  name: `licenses-${library}`,
  about: `${library}: certificates verify with the served keys, before and after a rotation`,
  async run(bench: Bench, report) {
    const market = await bench.market();
    const [command, ...args] = await program(bench);
    const cwd = await bench.folder();
    const verify = async (jws: string) => {
      await writeFile(join(cwd, "jwks.json"), await market.text("/.well-known/jwks.json"));
      await writeFile(join(cwd, "license.jws"), jws);
      const { status, stdout } = await run(command, [...args, "jwks.json", "license.jws"], { cwd });
      return status === 0 ? (JSON.parse(stdout) as { jti: string }) : null;
    };
    const before = (await issued(market, cwd)).polish as IssuedLicense;
    report.check(
      "a certificate is accepted",
      (await verify(before.license.jws))?.jti === before.license.id,
      before.license.id,
    );
    const { kid } = await market.command<{ kid: string }>("licenses", "keys", "rotate");
    report.check(
      "the same certificate is accepted when there is a newer key",
      (await verify(before.license.jws))?.jti === before.license.id,
      kid,
    );
    const after = (await issued(market, cwd)).korean as IssuedLicense;
    const header = JSON.parse(Buffer.from(after.license.jws.split(".")[0] ?? "", "base64url").toString());
    report.check(
      "a certificate of the newer key is accepted",
      header.kid === kid && (await verify(after.license.jws)) !== null,
      kid,
    );
    const [head, claims = "", signature] = after.license.jws.split(".");
    const other = Buffer.from(Buffer.from(claims, "base64url").toString().replace("basic", "exclusive")).toString(
      "base64url",
    );
    report.check(
      "a changed certificate is refused",
      (await verify([head, other, signature].join("."))) === null,
      "refused",
    );
  },
});

export const licenseCases: readonly Case[] = [
  archived,
  readBack,
  verifying("joserfc", async (bench) => [
    join(await bench.install(tools.joserfc), "bin/python3"),
    join(callers, "joserfc_verifier.py"),
  ]),
  verifying("jose", async (bench) => [
    process.execPath,
    join(callers, "jose-verifier.mjs"),
    join(await bench.install(tools.jose), "node_modules/jose/dist/webapi/index.js"),
  ]),
];
