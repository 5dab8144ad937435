// Receives webhooks: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { SignatureVerificationError, webhooks } from "beatmarket";
import Fastify from "fastify";

const app = Fastify();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body)); // raw
app.post("/", async (request, reply) => {
  const event = await webhooks.unwrap(request.body, request.headers, process.env.WEBHOOK_SECRET);
  console.log(event.type, event.id); // enqueue it, and respond at once
  return reply.send();
});
app.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof SignatureVerificationError ? 401 : 500).send(),
);
await app.listen({ port: 3000 });
