import { spawnSync } from "node:child_process";
import type { OversizeJob } from "../cases/oversize-bodies.ts";

// The curl command, with one process for each call.
const { origin, path, headers, caFile, bytes, isChunked, runs } = JSON.parse(process.env.JOB ?? "") as OversizeJob;
const input = Buffer.alloc(bytes, " ");
// curl sends Expect for large bodies unless the header is set to be empty.
const lines = Object.entries({ Expect: "", ...headers }).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
const body = isChunked ? ["-T", "-", "-X", "POST"] : ["--data-binary", "@-"];

const outcomes: Record<string, number> = {};
for (let run = 0; run < runs; run++) {
  const args = ["-sS", "--max-time", "120", "--cacert", caFile, ...lines, ...body, origin + path];
  const { status, stdout, stderr } = spawnSync("curl", [...args, "-w", "\n%{http_code}"], { input });
  const [text = "", code] = String(stdout).split("\n");
  const outcome = status === 0 ? `${code} ${JSON.parse(text).error.message}` : `curl ${status}: ${stderr}`;
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
console.log(JSON.stringify(outcomes));
