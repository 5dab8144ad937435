import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { cosign } from "@beatmarket/transparency-log/cosignature.ts";
import {
  type NoteSigner,
  noteText,
  signatureIn,
  signatureLine,
  verifierKey,
} from "@beatmarket/transparency-log/note.ts";
import { openSigningKey } from "@beatmarket/transparency-log/signing-key-file.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import type { Market } from "../market.ts";
import { run } from "../tools/run.ts";
import { honestLeaves, keptLeaves, publishInto } from "./cheats.ts";
import { buildLogJudge, downloadLog } from "./rights.ts";

const witnessName = "witness.example/w1";
const forkedAt = 20;
const pollMs = 200;
const maxPolls = 300;

/**
 * Runs `licenses witness` as the witness of a log in a folder and of a server. Another program sends the requests and
 * checks the signatures.
 */
export const witnessCase: Case = {
  name: "licenses-witness",
  about:
    "Go's torchwood and transparency-dev/formats: the witness cosigns what continues the log, and forgeries are found",
  async run(bench: Bench, report) {
    const cwd = await bench.folder();
    const program = await buildLogJudge(bench, cwd);
    const keyFile = join(cwd, "witness.key");
    const signer = await openSigningKey(keyFile, witnessName);
    const key = cosignatureKey(signer);
    const judge = (...args: string[]) => run(program, ["-witness", key, ...args], { cwd });
    const slot = bench.takeSlot();
    /** Starts a witness. Returns its address. */
    const listen = async (log: string[], port: number) => {
      const keep = ["--keep", join(cwd, `kept-${port}.json`), "--listen", String(port), "--signing-key", keyFile];
      const { child } = bench.stage.start(slot, "", ["licenses", "witness", ...log, ...keep, "--json"]);
      const [line] = (await once(createInterface(child.stdout ?? process.stdin), "line")) as [string];
      return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;
    };

    await publishInto(join(cwd, "kept"), honestLeaves.slice(0, keptLeaves));
    await publishInto(join(cwd, "honest"), honestLeaves);
    const forked = honestLeaves.with(forkedAt, {
      ...honestLeaves[forkedAt + 1],
      beat: 1,
    } as (typeof honestLeaves)[number]);
    await publishInto(join(cwd, "forked"), [...forked, ...honestLeaves.slice(-1)]);
    const address = await listen([join(cwd, "kept")], 0);
    const ask = (old: number, log: string) => judge("-ask", address, "-old", String(old), log);
    const requests = [
      { name: "the first checkpoint", old: 0, log: "kept", found: null },
      { name: "a checkpoint that continues the first", old: keptLeaves, log: "honest", found: null },
      { name: "the same checkpoint again", old: honestLeaves.length, log: "honest", found: null },
      { name: "an older checkpoint", old: keptLeaves, log: "kept", found: "refused: 409" },
      { name: "a fork, with a proof from the fork", old: honestLeaves.length, log: "forked", found: "refused: 422" },
      { name: "a fork, as if it were the first", old: 0, log: "forked", found: "refused: 409" },
    ];
    for (const { name, old, log, found: refusal } of requests) {
      const { status, output } = await ask(old, log);
      const isExpected = refusal === null ? status === 0 : status !== 0 && output.startsWith(refusal);
      report.check(`the witness ${refusal === null ? "cosigns" : "refuses"} ${name}`, isExpected, output);
    }

    const cosigned = await readFile(join(cwd, "honest/cosigned"), "utf8");
    const note = await readFile(join(cwd, "honest/checkpoint"), "utf8");
    const earlier = await readFile(join(cwd, "kept/cosigned"), "utf8");
    for (const [name, forgery] of Object.entries(forgeries({ note, cosigned, earlier }, signer))) {
      await writeFile(join(cwd, "honest/checkpoint"), forgery);
      const { status, output } = await judge("honest");
      report.check(`the judge refuses ${name}`, status !== 0 && output.startsWith("cosignature: "), output);
    }

    const port = await freePort();
    const market = await bench.marketWith({ LICENSE_LOG_WITNESSES: `${key} http://127.0.0.1:${port}` });
    const buyer = await market.key("witness-judge@example.com");
    const { beats } = await market.call<{ beats: { id: number }[] }>(buyer, "/beats?limit=20");
    const buy = ({ id }: { id: number }) =>
      market.call(buyer, "/orders", { beat_id: id, license_type: "basic", payment_method: "pm_card_visa" });
    const [first, ...otherBeats] = beats;
    if (first !== undefined) await buy(first);
    const logKey = await whenServed(market, "/licenses/log/key", (text) => text !== "");
    await listen([market.origin, "--key", logKey.trim()], port);
    for (const beat of otherBeats) await buy(beat);
    await whenServed(
      market,
      "/licenses/log/checkpoint",
      (text) => Number(text.split("\n")[1]) >= beats.length && text.includes(`— ${witnessName} `),
    );
    const size = await downloadLog(market, join(cwd, "log"));
    const served = await judge("log");
    report.check(
      `the server's checkpoint of ${size} leaves`,
      served.status === 0 && size >= beats.length,
      served.output,
    );
  },
};

/** Waits for a file of the log. Throws if the file does not appear. */
async function whenServed(market: Market, path: string, isExpected: (text: string) => boolean): Promise<string> {
  let text = "";
  for (let tries = 0; tries < maxPolls; tries++) {
    // The files do not exist before the first leaf.
    text = await market.text(path).catch(() => "");
    if (isExpected(text)) return text;
    await setTimeout(pollMs);
  }
  throw new Error(`${path} is not as expected: ${text}`);
}

const cosignatureKey = ({ name, privateKey }: NoteSigner): string =>
  verifierKey({ name, publicKey: createPublicKey(privateKey) }, "cosignature");

/** Checkpoints whose cosignature is wrong, each in one way. */
function forgeries(
  { note, cosigned, earlier }: { note: string; cosigned: string; earlier: string },
  signer: NoteSigner,
): Record<string, string> {
  const verifier = { name: signer.name, publicKey: createPublicKey(signer.privateKey) };
  const id = Buffer.from(cosignatureKey(signer).split("+")[1] ?? "", "hex");
  const bytesIn = (text: string) => signatureIn(text, verifier, "cosignature") ?? Buffer.alloc(0);
  const withBytes = (bytes: Buffer) => note + signatureLine(signer.name, Buffer.concat([id, bytes]));
  const bytes = bytesIn(cosigned);
  const changed = (offset: number) => Buffer.from(bytes.with(offset, (bytes[offset] ?? 0) ^ 1));
  const { privateKey } = generateKeyPairSync("ed25519");
  const other = { name: signer.name, privateKey };
  const othersLine = note + cosign(note, other, new Date());
  const otherSignature = signatureIn(
    othersLine,
    { name: other.name, publicKey: createPublicKey(privateKey) },
    "cosignature",
  );
  return {
    "a note without a cosignature": note,
    "the cosignature of another checkpoint": withBytes(bytesIn(earlier)),
    "a cosignature with another time": withBytes(changed(7)),
    "a cosignature with a changed bit": withBytes(changed(40)),
    "a cosignature by another key of the same name": othersLine,
    "a cosignature by another key under this key's id": withBytes(otherSignature ?? Buffer.alloc(0)),
    "a signature of the note without a time": withBytes(
      Buffer.concat([bytes.subarray(0, 8), sign(null, Buffer.from(noteText(note) ?? ""), signer.privateKey)]),
    ),
    "a cosignature from a year ago": note + cosign(note, signer, new Date(Date.now() - 365 * 86_400_000)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
