// Receives webhooks with the library of Svix: npm install svix
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "svix";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const body = await text(request);
  try {
    webhook.verify(body, request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  console.log(JSON.parse(body).type);
}).listen(process.env.PORT, "127.0.0.1");
