import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../harness/programmes/report.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import type { Market } from "../market.ts";
import { runToSuccess } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const callers = join(import.meta.dirname, "../callers");
const sampleRate = 44_100;
const seconds = 20;
const analysisTimeoutMs = 60_000;
const pollMs = 500;

interface Upload {
  bytes: number;
  received: number;
  status: string;
  rejection: string | null;
}

/** Creates a key, and a file that can be analysed: 20 seconds of a chord, 16-bit PCM in stereo. */
async function prepared(
  bench: Bench,
  market: Market,
): Promise<{ key: string; cwd: string; file: string; bytes: number }> {
  const key = await market.key("tus@example.com");
  const cwd = await bench.folder();
  const file = join(cwd, "beat.wav");
  const bytes = chord();
  await writeFile(file, bytes);
  return { key, cwd, file, bytes: bytes.length };
}

function chord(): Buffer {
  const frames = sampleRate * seconds;
  const wav = Buffer.alloc(44 + frames * 4);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(frames * 4, 40);
  for (let frame = 0; frame < frames; frame++) {
    const time = frame / sampleRate;
    const tone = [220, 261.63, 329.63].reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * time), 0);
    // A beat every half second.
    const sample = Math.round(tone * 8_000 * Math.exp(-4 * (time % 0.5)));
    wav.writeInt16LE(sample, 44 + frame * 4);
    wav.writeInt16LE(sample, 46 + frame * 4);
  }
  return wav;
}

/** Checks that an upload has all bytes, and becomes ready. */
async function checkReady(market: Market, key: string, url: string, bytes: number, report: Report): Promise<void> {
  const path = new URL(url).pathname.replace("/v1", "");
  const find = async () => (await market.call<{ upload: Upload }>(key, path)).upload;
  let upload = await find();
  report.check(
    "all bytes have arrived",
    upload.received === bytes && upload.bytes === bytes,
    `${upload.received} of ${bytes}`,
  );
  for (let waitedMs = 0; upload.status === "analysing" && waitedMs < analysisTimeoutMs; waitedMs += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    upload = await find();
  }
  report.check("the file is ready", upload.status === "ready", `${upload.status} ${upload.rejection ?? ""}`.trim());
}

interface SentByTusJs {
  resumed: string;
  from: number;
  terminated: string;
  whole: string;
}

/** Sends a file three times with tus-js-client. */
async function sendByTusJs(
  bench: Bench,
  market: Market,
): Promise<{ key: string; bytes: number; uploads: SentByTusJs }> {
  const tool = await bench.install(tools.tusForJavascript);
  const { key, cwd, file, bytes } = await prepared(bench, market);
  const caller = join(tool, "caller.mjs");
  await copyFile(join(callers, "tus-js-client.mjs"), caller);
  const env = { NODE_EXTRA_CA_CERTS: market.caFile };
  const args = [caller, `${market.origin}/v1/uploads`, key, file];
  return { key, bytes, uploads: JSON.parse(await runToSuccess(process.execPath, args, { cwd, env })) as SentByTusJs };
}

const tusJsClient: Case = {
  name: "tus-js-client",
  about: "uploads in Node: cut off and resumed, terminated, and in one request",
  run: async (bench, report) => {
    const market = await bench.market();
    const { key, bytes, uploads } = await sendByTusJs(bench, market);
    report.check("resumed after the received bytes", uploads.from >= 1_000_000 && uploads.from < bytes, uploads.from);
    await checkReady(market, key, uploads.resumed, bytes, report);
    await checkReady(market, key, uploads.whole, bytes, report);
    const message = await market.call(key, new URL(uploads.terminated).pathname.replace("/v1", "")).then(
      () => "still there",
      (error: Error) => error.message,
    );
    report.check("a terminated upload is gone", /not_found/.test(message), message);
  },
};

const tuspy: Case = {
  name: "tuspy",
  about: "uploads in Python: in parts with checksums, resumed by a second client",
  run: async (bench, report) => {
    const tool = await bench.install(tools.tusForPython);
    const market = await bench.market();
    const { key, cwd, file, bytes } = await prepared(bench, market);
    const env = { REQUESTS_CA_BUNDLE: market.caFile };
    const args = [join(callers, "tuspy_client.py"), `${market.origin}/v1/uploads`, key, file];
    const output = await runToSuccess(join(tool, "bin/python3"), args, { cwd, env });
    const uploads = JSON.parse(output) as { resumed: string; from: number; offset: number };
    report.check("resumed after the first part", uploads.from === 1_000_000, uploads.from);
    await checkReady(market, key, uploads.resumed, bytes, report);
  },
};

const s3proxy: Case = {
  name: "s3proxy",
  about: "producers' files in an S3 server: an upload that was cut off, its beat on sale, its preview",
  run: async (bench, report) => {
    const { market, objects } = await bench.marketOnS3();
    const { key, bytes, uploads } = await sendByTusJs(bench, market);
    await checkReady(market, key, uploads.resumed, bytes, report);
    const audio = new URL(uploads.resumed).pathname.split("/").at(-1);
    const body = { title: "From a bucket", genre: 1, price: 20, audio, status: "published" };
    const { beat: createdBeat } = await market.call<{ beat: PublishedBeat }>(key, "/beats", body);
    let beat = createdBeat;
    for (let waitedMs = 0; beat.status === "processing" && waitedMs < analysisTimeoutMs; waitedMs += pollMs) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      beat = (await market.call<{ beat: PublishedBeat }>(key, `/beats/${createdBeat.id}`)).beat;
    }
    report.check("the beat is on sale", beat.status === "published", beat.status);
    const preview = await market.file(beat.audio_url);
    report.check("its preview is an MP3", preview.type === "audio/mpeg" && preview.bytes > 100_000, preview.bytes);
    const stored = (await readdir(objects, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
    report.check("original, waveforms and preview are in the bucket", stored.length >= 4, stored.length);
  },
};

interface PublishedBeat {
  id: number;
  status: string;
  audio_url: string;
}

export const uploadCases: readonly Case[] = [tusJsClient, tuspy, s3proxy];
