import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { verifierKey } from "@beatmarket/transparency-log/note.ts";
import { encodeLeaf, type Leaf } from "../../../src/resources/licenses/log/entry.ts";

const origin = "beats.example/licenses/log";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
/** The number of leaves in the honest log, and in the checkpoint that an auditor stored. */
const leafCount = 400;
export const keptLeaves = 300;
const placesOfEach = 10;

const commitment = () => randomBytes(32).toString("hex");
const timeAt = (minute: number) => new Date(Date.UTC(2027, 0, 1) + minute * 60_000).toISOString().replace(".000Z", "Z");
const sold = (index: number, overrides: Partial<Leaf> = {}): Leaf => ({
  v: 1,
  kind: "sold",
  time: timeAt(index),
  beat: index,
  exclusive: index % 5 === 0,
  placed: timeAt(index),
  commitment: commitment(),
  ...overrides,
});

/** An honest log: each beat is sold once, and every fifth sale is exclusive. */
export const honestLeaves: readonly Leaf[] = Array.from({ length: leafCount }, (_, index) => sold(index));

interface Cheat {
  name: string;
  /** The beginning of the judge's sentence. */
  verdictStart: string;
  leaves: readonly Leaf[];
}

/** The manipulations of a dishonest marketplace, each with a valid signature, at ten places. */
export const cheats: readonly Cheat[] = Array.from({ length: placesOfEach }, (_, place) => {
  const lateIndex = keptLeaves + 5 + place * 9;
  const earlyIndex = 3 + place * 29;
  const time = honestLeaves[lateIndex]?.time ?? "";
  const exclusive = place * 25;
  return [
    {
      name: `sold twice, at ${lateIndex}`,
      verdictStart: "sold twice",
      leaves: honestLeaves.with(
        lateIndex,
        sold(lateIndex, { beat: exclusive, exclusive: place % 2 === 0, time, placed: time }),
      ),
    },
    {
      name: `backdated, at ${lateIndex}`,
      verdictStart: "backdated",
      leaves: honestLeaves.with(lateIndex, sold(lateIndex, { time: timeAt(lateIndex - 20) })),
    },
    { name: `deleted, at ${earlyIndex}`, verdictStart: "inconsistent", leaves: honestLeaves.toSpliced(earlyIndex, 1) },
    {
      name: `altered terms, at ${earlyIndex}`,
      verdictStart: "inconsistent",
      leaves: honestLeaves.with(earlyIndex, { ...honestLeaves[earlyIndex], commitment: commitment() } as Leaf),
    },
    {
      name: `forked after a restore, at ${earlyIndex}`,
      verdictStart: "inconsistent",
      leaves: [
        ...honestLeaves.slice(0, earlyIndex),
        ...honestLeaves.slice(earlyIndex).map((leaf) => ({ ...leaf, commitment: commitment() })),
      ],
    },
  ];
}).flat();

/** Files in memory. */
class MemoryFiles {
  readonly files = new Map<string, Buffer>();

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    this.files.set(key, Buffer.concat(await Array.fromAsync(content)));
  }
  async get(key: string): Promise<never | null> {
    const content = this.files.get(key);
    if (content === undefined) return null;
    return (async function* () {
      yield content;
    })() as never;
  }
  async delete(key: string): Promise<void> {
    this.files.delete(key);
  }
  async *list(prefix: string) {
    for (const key of [...this.files.keys()]) if (key.startsWith(prefix)) yield { key, bytes: 0, putAt: new Date(0) };
  }
}

/** Publishes a log into a folder, like the marketplace. */
export async function publishInto(folder: string, leaves: readonly Leaf[]): Promise<void> {
  const files = new MemoryFiles();
  await new LogFiles(files, "log").append(origin, leaves.map(encodeLeaf), [{ name: origin, privateKey }]);
  files.files.set("log/key", Buffer.from(`${verifierKey({ name: origin, publicKey })}\n`));
  for (const [key, bytes] of files.files) {
    const path = join(folder, key.slice("log/".length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
