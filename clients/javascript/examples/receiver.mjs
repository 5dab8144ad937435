// Receives webhooks, each event once: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { DatabaseSync } from "node:sqlite";
import { SignatureVerificationError, webhooks } from "beatmarket";
import Fastify from "fastify";

const { WEBHOOK_SECRET, PORT = "3000", DATABASE = "events.db" } = process.env;
const db = new DatabaseSync(DATABASE);
db.exec("create table if not exists events (id text primary key, event text not null)");
const keep = db.prepare("insert or ignore into events values (?, ?)");

const app = Fastify();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body)); // raw
app.post("/", async (request, reply) => {
  const event = await webhooks.unwrap(request.body, request.headers, WEBHOOK_SECRET);
  const { changes } = keep.run(event.id, JSON.stringify(event));
  if (changes === 1) console.log(event.type, event.id); // else it was delivered before
  return reply.send();
});
app.setErrorHandler((error, _request, reply) => {
  console.error(error.message);
  return reply.code(error instanceof SignatureVerificationError ? 401 : 500).send();
});
console.log("listening at", await app.listen({ port: Number(PORT) }));
