import { readdirSync, readFileSync } from "node:fs";

const source = new URL("../../python/src/beatmarket/_async/", import.meta.url);
const note = "# Generated from _async by npm run contract; edit that.\n";

/** The replacements that make the synchronous client from the asynchronous one. */
const changes: readonly [RegExp, string][] = [
  [/^.* {2}# async only\n/gm, ""],
  [/\bawait anyio\.sleep\b/g, "time.sleep"],
  [/\bawait anyio\.to_thread\.run_sync\(work\)/g, "work()"],
  [/ in a thread, so that other tasks continue/g, ""],
  [/ {8}import anyio\n\n/g, "        import time\n\n"],
  [/ {8}import anyio\.to_thread\n\n/g, ""],
  [/\bAwaited\b/g, "Held"],
  [/\bAwaitable\[(\w+)\]/g, "$1"],
  [/\bAsyncGenerator\[(.+), None\]/g, "Generator[$1, None, None]"],
  [/, Awaitable\b|\bAwaitable, /g, ""],
  [/\basync (def|with|for)\b/g, "$1"],
  [/\bawait /g, ""],
  [/\bAsync(?=[A-Z])/g, ""],
  [/__a(enter|exit|iter|next)__/g, "__$1__"],
  [/\baclos(e|ing)\b/g, "clos$1"],
  [/\basynccontextmanager\b/g, "contextmanager"],
  [/\b(StopAsyncIteration)\b/g, "StopIteration"],
  [/\baiter_bytes\b/g, "iter_bytes"],
  [/\b_async\b/g, "_sync"],
  [/share it between tasks/g, "share it between threads"],
];

/** The synchronous version of each hand-written file of the asynchronous client. */
export const mirror = (): [name: string, text: string][] =>
  readdirSync(source)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => [
      name,
      note + changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(new URL(name, source), "utf8")),
    ]);
