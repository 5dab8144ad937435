import { registerHooks } from "node:module";

/** Text of the driver, which must be there exactly once, and what takes its place. */
type Repair = readonly [original: string, repaired: string];

/**
 * What postgres.js 3.4.9 does when a connection is lost while it is in use (its issues 1066, 1154, 1208, 1155): it
 * writes to a socket that is gone and so ends the process; a statement meant for a transaction may run outside of it, on
 * the connection that came next; a closed connection goes back among the open ones; statements are never answered, also
 * where a server closes each connection without a word; and what was to be written is sent ahead of the next connection's
 * first message. A connection that is lost while it asks for the types of arrays ends the process. A statement that it
 * prepares again, because a table was altered, gets bytes and JSON encoded twice. And every answer stays in memory until
 * V8 clears all of it: an object whose own function refers to it, as a query's `resolve` does, is not found dead among
 * young ones. See docs/decisions/2026-11-21-driver.md.
 */
const repairs: Readonly<Record<string, readonly Repair[]>> = {
  "connection.js": [
    [
      "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)",
      `  function nextWrite(fn) {
    if (socket === null) {
      nextWriteTimer !== null && clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      query = null
      return false
    }
    const x = socket.write(chunk, fn)`,
    ],
    [
      "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
      `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
    ],
    [
      "    if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length) && error(",
      `    if (initial && options.host.length > 1) {
      query = errorResponse = null
      return reconnect()
    }

    ;(query || initial || sent.length) && error(`,
    ],
    [
      "    closedTime = performance.now()\n    hadError && options.shared.retries++",
      `    query = errorResponse = null
    closedTime = performance.now()
    hadError && options.shared.retries++`,
    ],
    [
      "    q.retried = error\n",
      `    q.retried = error
    q.parameters = null
`,
    ],
    [
      "        return fetchArrayTypes()\n",
      `        return fetchArrayTypes().catch(noop)
`,
    ],
  ],
  "query.js": [
    [
      `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))
`,
      "    this.settle = { resolve, reject }\n",
    ],
    [
      "  get origin() {",
      `  resolve(x) {
    this.active = false
    this.settle.resolve(x)
  }

  reject(x) {
    this.active = false
    this.settle.reject(x)
  }

  get origin() {`,
    ],
  ],
  "index.js": [
    [
      "const query = { reserve: resolve, reject }\n",
      `const query = {
          reserve: resolve,
          reject: e => {
            queries.remove(query)
            reject(e)
          }
        }
`,
    ],
    [
      "    queries.length && connect(c, queries.shift())",
      `    if (queries.length) {
      const query = queries.shift()
      query.reserve && queries.push(query)
      connect(c, query)
    }`,
    ],
    [
      "    c.reserved.release = true\n",
      `    c.reserved.release = true
    let lost = null
    c.onclose = e => {
      lost = e
      while (queue.length)
        queue.shift().reject(e)
    }
`,
    ],
    [
      "    sql.release = () => {\n      c.reserved = null",
      `    sql.release = () => {
      if (lost)
        return
      c.onclose = null
      c.reserved = null`,
    ],
    [
      "    function handler(q) {\n      c.queue === full\n        ? queue.push(q)",
      `    function handler(q) {
      if (lost)
        return q.reject(lost)
      c.queue === full
        ? queue.push(q)`,
    ],
    ["      , connection\n      , prepare = null", "      , connection\n      , lost = null\n      , prepare = null"],
    [
      "new Promise((_, reject) => connection.onclose = reject)",
      `new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })`,
    ],
    [
      "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
`,
    ],
  ],
};

function repair(text: string, its: readonly Repair[]): string {
  let repaired = text;
  for (const [original, replacement] of its) {
    if (repaired.split(original).length !== 2)
      throw new Error(
        `The driver postgres is not the release that its repairs were written for; see driver.ts. Not found:\n${original}`,
      );
    repaired = repaired.replace(original, () => replacement);
  }
  return repaired;
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const its = repairs[/\/node_modules\/postgres\/src\/(\w+\.js)$/.exec(url)?.[1] ?? ""];
    if (its === undefined || loaded.source == null) return loaded;
    return { ...loaded, source: repair(Buffer.from(loaded.source as Uint8Array).toString(), its) };
  },
});

/** The driver, which survives the loss of its connections. Imported from here alone. */
export const { default: postgres } = await import("postgres");
hooks.deregister();
